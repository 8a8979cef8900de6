#!/bin/bash
#SBATCH --nodes=1 --exclusive
#SBATCH --gpus-per-node=4 --cpus-per-task=32 --time=1-0
torchrun --standalone --nproc_per_node=8 train.py
