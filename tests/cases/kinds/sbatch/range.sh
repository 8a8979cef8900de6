#!/bin/bash
#SBATCH -N 8-64
#SBATCH --gres=gpu:8
srun python train.py
