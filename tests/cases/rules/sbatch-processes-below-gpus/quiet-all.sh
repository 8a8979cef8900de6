#!/bin/bash
#SBATCH --nodes=1
#SBATCH --gpus-per-node=8 --cpus-per-task=64 --time=1-0
torchrun --standalone --nproc_per_node=gpu train.py
