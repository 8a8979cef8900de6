#!/bin/bash
#SBATCH --gpus=8 --nodes=1
#SBATCH --cpus-per-gpu=4
#SBATCH --time=1:00:00
torchrun --nproc_per_node=8 train.py
