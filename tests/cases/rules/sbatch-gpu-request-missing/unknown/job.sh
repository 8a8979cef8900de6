#!/bin/bash
# unknown: sbatch-gpu-request-missing
#SBATCH --nodes=4 --partition=gpu --time=60
srun python train.py
