#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=4 --cpus-per-task=16 --time=1-0
export OMP_NUM_THREADS=4
torchrun --standalone --nproc_per_node=4 train.py
