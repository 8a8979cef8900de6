#!/bin/bash
#SBATCH --gpus=1 \
#SBATCH --time=01:00:00 \
#SBATCH --cpus-per-gpu=10\
#SBATCH --mem=64G
srun python3 train.py
