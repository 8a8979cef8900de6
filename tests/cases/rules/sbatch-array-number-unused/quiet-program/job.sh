#!/bin/bash
#SBATCH --job-name=many
#SBATCH --array=1-10
#SBATCH --time=00:10:00
#SBATCH --output=logs-%A_%a.out
srun python3 train.py
