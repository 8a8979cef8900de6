#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=2 --cpus-per-task=4 --time=1-0
torchrun --nproc_per_node=2 --master_port=29500 train.py
