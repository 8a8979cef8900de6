#!/bin/bash
#SBATCH --nodes=1 --ntasks-per-node=1 --gpus-per-node=4 --cpus-per-task=32 --time=4:00:00 --mem=200G
torchrun --standalone --nproc_per_node=4 train.py --num_workers 8
