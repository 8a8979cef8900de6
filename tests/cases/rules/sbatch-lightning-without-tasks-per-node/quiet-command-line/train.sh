#!/bin/bash
#SBATCH --job-name=vit
#SBATCH --nodes=2
#SBATCH --ntasks=8   # unknown: sbatch-tasks-above-nodes, sbatch-tasks-below-nodes
#SBATCH --gres=gpu:4
#SBATCH --cpus-per-task=8
#SBATCH --time=04:00:00
srun --cpus-per-task=8 python train.py
