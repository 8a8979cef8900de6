#!/bin/bash
#SBATCH --nodes=1 --ntasks-per-node=1 --gres=gpu:4 --cpus-per-gpu=8 --time=1:00:00
MASTER_PORT=12355
torchrun --standalone --nproc-per-node=4 train.py
