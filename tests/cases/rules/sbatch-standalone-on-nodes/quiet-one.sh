#!/bin/bash
#SBATCH --nodes=1 --ntasks-per-node=1 --gpus-per-node=8 --cpus-per-task=64 --time=1-0
srun -c 64 torchrun --standalone --nproc_per_node=8 train.py
