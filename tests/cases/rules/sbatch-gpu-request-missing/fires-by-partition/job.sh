#!/bin/bash
# finding: sbatch-gpu-request-missing
#SBATCH -N 4 -p gpu
srun python train.py
