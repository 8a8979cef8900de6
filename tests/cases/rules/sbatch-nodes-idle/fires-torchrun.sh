#!/bin/bash
#SBATCH --nodes=4   # finding: sbatch-nodes-idle
#SBATCH --gpus-per-node=4 --cpus-per-task=16 --time=1-0
torchrun --nproc_per_node=4 train.py
