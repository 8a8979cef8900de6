#!/bin/bash
#SBATCH --job-name=make-data
#SBATCH --array=1-75   # finding: sbatch-array-number-unused
#SBATCH --time=00:10:00
#SBATCH --output=logs-%A_%a.out
mkdir -p data
srun python3 make_data.py --out data
