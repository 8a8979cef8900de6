#!/bin/bash
# finding: sbatch-memory-above-nodes
#SBATCH --nodes=1 --gpus-per-node=4 --cpus-per-task=64 --time=1-0
srun --cpus-per-task=64 train
