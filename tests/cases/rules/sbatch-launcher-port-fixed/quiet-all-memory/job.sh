#!/bin/bash
#SBATCH --nodes=2 --gpus-per-node=1 --ntasks-per-node=1 --cpus-per-task=4 --time=1-0
srun torchrun --nnodes=2 --nproc_per_node=1 --master_port=29500 train.py
