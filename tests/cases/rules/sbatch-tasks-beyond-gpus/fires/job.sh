#!/bin/bash
#SBATCH --gpus-per-node=8 --cpus-per-gpu=1 --time=1-0
#SBATCH --ntasks=33   # finding: sbatch-tasks-beyond-gpus
srun --cpus-per-gpu=1 train
