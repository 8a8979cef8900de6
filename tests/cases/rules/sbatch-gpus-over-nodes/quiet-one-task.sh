#!/bin/bash
#SBATCH --job-name=train
#SBATCH --gpus=4
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=32
#SBATCH --time=1:00:00
torchrun --standalone --nproc_per_node=4 train.py
