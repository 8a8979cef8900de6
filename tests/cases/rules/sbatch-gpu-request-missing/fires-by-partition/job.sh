#!/bin/bash
# finding: sbatch-gpu-request-missing
#SBATCH -N 4 -p gpu -t 60
srun python train.py
