#!/bin/bash
# finding: sbatch-limit-of-partition
#SBATCH --nodes=1 --gpus-per-node=8 --cpus-per-task=16 --time=1-0
srun --cpus-per-task=16 train
