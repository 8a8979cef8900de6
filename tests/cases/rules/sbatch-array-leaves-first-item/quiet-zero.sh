#!/bin/bash
#SBATCH --job-name=grid
#SBATCH --nodes=1 --ntasks=1 --time=04:00:00
#SBATCH --output=grid-%A_%a.out
#SBATCH --array=1-3
rates=(0 0.1 0.01 0.001)
python tune.py --rate "${rates[$SLURM_ARRAY_TASK_ID]}"
