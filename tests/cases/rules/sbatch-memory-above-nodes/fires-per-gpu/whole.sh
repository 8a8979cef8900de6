#!/bin/bash
# finding: sbatch-memory-above-nodes
#SBATCH --nodes=1 --gpus-per-node=8 --cpus-per-task=16 --time=1-0 --exclusive
#SBATCH --mem-per-gpu=32G
srun --cpus-per-task=16 train
