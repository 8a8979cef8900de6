#!/bin/bash
#SBATCH --ntasks=1 --cpus-per-gpu=10 --gres=gpu:a100:1 --time=1:00:00
srun python train.py --bf16
