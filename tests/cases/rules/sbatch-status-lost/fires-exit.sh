#!/bin/bash
#SBATCH --time=1:00:00 --gpus-per-node=4 --cpus-per-task=32 --mem=160G
torchrun --standalone --nproc_per_node=4 train.py
exit 0   # finding: sbatch-status-lost
