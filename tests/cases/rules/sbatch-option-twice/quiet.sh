#!/bin/bash
#SBATCH --job-name=hvd
#SBATCH --gpus-per-node=8 --cpus-per-gpu=6 --time=01:00:00
#SBATCH --constraint=v100
#SBATCH --constraint=v100
srun python train.py
