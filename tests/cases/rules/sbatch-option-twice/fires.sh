#!/bin/bash
#SBATCH --job-name=hvd
#SBATCH --gpus-per-node=8 --cpus-per-gpu=6 --time=01:00:00
#SBATCH --constraint=v100
#SBATCH --constraint=cpu_intel   # finding: sbatch-option-twice
srun python train.py
