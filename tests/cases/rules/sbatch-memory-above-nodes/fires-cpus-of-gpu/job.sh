#!/bin/bash
# silenced by: #SBATCH --time=1:00:00 --gpus=1 --cpus-per-gpu=10 --mem-per-cpu=1G
#SBATCH --time=1:00:00 --gpus=1 --cpus-per-gpu=10 --mem-per-cpu=2G   # finding: sbatch-memory-above-nodes
srun python train.py
