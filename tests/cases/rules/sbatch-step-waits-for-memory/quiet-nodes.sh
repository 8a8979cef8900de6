#!/bin/bash
#SBATCH --job-name=parts
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --cpus-per-task=8
#SBATCH --gpus-per-node=4
#SBATCH --mem=200G
#SBATCH --time=04:00:00
srun --exact -N 1 -n 1 -c 8 ./first &
srun --exact -N 1 -n 1 -c 8 ./second
wait   # finding: sbatch-status-lost
