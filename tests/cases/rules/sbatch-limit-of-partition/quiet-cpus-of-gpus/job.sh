#!/bin/bash
#SBATCH --ntasks=4
#SBATCH --gpus-per-task=1
#SBATCH --cpus-per-gpu=4
#SBATCH --time=01:00:00
srun train_model
