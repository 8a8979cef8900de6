#!/bin/bash
#SBATCH --ntasks=5
#SBATCH --gpus-per-task=1
#SBATCH --cpus-per-gpu=4   # finding: sbatch-limit-of-partition
#SBATCH --time=01:00:00
srun train_model
