#!/bin/bash
#SBATCH --job-name=vit
#SBATCH --nodes=2
# silenced by: #SBATCH --ntasks=1
#SBATCH --ntasks=8   # finding: sbatch-lightning-without-tasks-per-node
#SBATCH --gres=gpu:4
#SBATCH --cpus-per-task=8
#SBATCH --time=04:00:00
srun --cpus-per-task=8 python train.py
