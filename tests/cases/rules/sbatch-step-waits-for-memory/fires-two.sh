#!/bin/bash
#SBATCH --job-name=parts
#SBATCH --nodes=1
#SBATCH --ntasks=4
#SBATCH --cpus-per-task=8
#SBATCH --gpus-per-node=4
#SBATCH --mem=200G
#SBATCH --time=04:00:00
# silenced by: srun --exact -n 1 -c 8 --gpus=1 --mem-per-cpu=4G ./first &
srun --exact -n 1 -c 8 --gpus=1 ./first &   # finding: sbatch-step-waits-for-memory
srun --exact -n 1 -c 8 --gpus=1 --mem=50G ./second
wait   # finding: sbatch-status-lost
