#!/bin/bash
#SBATCH --job-name=grid
#SBATCH --nodes=1 --ntasks=1 --time=04:00:00
#SBATCH --output=grid-%A_%a.out
#SBATCH --array=0-8:4%2   # finding: sbatch-array-beyond-items
rates=(0.1 0.2 "$MIDDLE" 0.4)
index=$SLURM_ARRAY_TASK_ID
rate="${rates[index]}"
python tune.py --rate "$rate"
