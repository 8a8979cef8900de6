#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=1 --cpus-per-task=8 --time=1:00:00 --output=%x-%j.log
set -e
srun -c 8 ./all_reduce_perf -b 8 -e 8G 2>&1 | tee results.log   # finding: sbatch-status-lost
grep busbw results.log
