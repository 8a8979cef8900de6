#!/bin/bash
#SBATCH --job-name=long
#SBATCH --array=1-10%1
#SBATCH --time=00:10:00
#SBATCH --output=logs-%A_%a.out
srun python3 train.py --out data
