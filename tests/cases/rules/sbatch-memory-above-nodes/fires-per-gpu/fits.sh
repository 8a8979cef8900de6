#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=8 --cpus-per-task=64 --time=1-0
#SBATCH --mem-per-gpu=32G
srun --cpus-per-task=64 train
