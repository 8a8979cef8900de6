#!/bin/bash
#SBATCH --gpus-per-node=8 --cpus-per-gpu=1 --time=1-0
#SBATCH --ntasks=32
srun --cpus-per-gpu=1 train
