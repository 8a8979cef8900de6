#!/bin/bash
#SBATCH --job-name=parts
#SBATCH --nodes=1
#SBATCH --ntasks=4
#SBATCH --cpus-per-task=8
#SBATCH --gpus-per-node=4
#SBATCH --mem=200G
#SBATCH --time=04:00:00
srun --exact -n 1 -c 8 --gpus=1 ./first &
srun --exact -n 1 -c 8 --gpus=1 ./second
wait   # finding: sbatch-status-lost
