#!/bin/bash
# finding: sbatch-limit-of-partition
#SBATCH --partition=pair --exclude=gpu2 --gpus-per-node=8 --cpus-per-task=64 --time=1-0
srun -c 64 train
