#!/bin/bash
#SBATCH --job-name=vit
#SBATCH --nodes=2
#SBATCH --ntasks=8   # finding: sbatch-lightning-without-tasks-per-node
#SBATCH --gres=gpu:4
#SBATCH --cpus-per-task=8
#SBATCH --time=04:00:00
module load pytorch/2.5
srun --cpus-per-task=8 python train.py
