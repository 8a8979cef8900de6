#!/bin/bash
#SBATCH --nodes=1 --ntasks-per-node=1 --exclusive
#SBATCH --gpus-per-node=4 --time=1-0
srun --gpus-per-node=8 torchrun --standalone --nproc_per_node=8 train.py
