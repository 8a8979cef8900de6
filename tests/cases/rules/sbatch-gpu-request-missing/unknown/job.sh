#!/bin/bash
# unknown: sbatch-gpu-request-missing
#SBATCH --nodes=4 --partition=gpu
srun python train.py
