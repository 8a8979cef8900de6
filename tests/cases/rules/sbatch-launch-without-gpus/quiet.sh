#!/bin/bash
#SBATCH --job-name=gpt
#SBATCH --gpus-per-node=4
#SBATCH --cpus-per-gpu=8
#SBATCH --time=04:00:00
torchrun --standalone --nproc_per_node=4 train.py
