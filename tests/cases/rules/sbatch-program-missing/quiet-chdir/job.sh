#!/bin/bash
#SBATCH --chdir=/scratch/project
#SBATCH --nodes=1
#SBATCH --gpus-per-node=4
#SBATCH --cpus-per-task=32
#SBATCH --time=01:00:00
SCRIPT=train_cifar_solution.py
srun --cpus-per-task=32 python -u "$SCRIPT" --epochs 10
