#!/bin/bash
#SBATCH --partition=mixed --gpus=32 --time=1-0
#SBATCH --ntasks=385   # finding: sbatch-limit-of-partition
srun train
