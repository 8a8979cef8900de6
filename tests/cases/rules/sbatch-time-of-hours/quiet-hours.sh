#!/bin/bash
#SBATCH --job-name=train
#SBATCH --nodes=2 --ntasks-per-node=1 --gpus-per-node=4 --cpus-per-task=16
#SBATCH --exclusive
#SBATCH --time=24:00:00
srun --cpus-per-task=16 python train.py
