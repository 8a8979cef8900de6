#!/bin/bash
#SBATCH --gpus-per-task=1 --ntasks=12 --cpus-per-task=4 --time=1-0
#SBATCH --ntasks-per-node=8   # finding: sbatch-gpu-tasks-uneven
srun --cpus-per-task=4 train
