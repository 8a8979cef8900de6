#!/bin/bash
#SBATCH --constraint="a100|h100"
#SBATCH --time=1:00:00 --nodes=1 --ntasks-per-node=4 --gpus-per-node=4 --cpus-per-task=8 --mem=0 --exclusive
srun --cpus-per-task=8 python train.py
