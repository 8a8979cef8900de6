#!/bin/bash
#SBATCH --job-name=grid
#SBATCH --nodes=1 --ntasks=1 --time=04:00:00
#SBATCH --output=grid-%A_%a.out
#SBATCH --array=1-4
rates=(0.1 0.2 "$MIDDLE" 0.4)
if [ "$SLURM_ARRAY_TASK_ID" -ge "${#rates[@]}" ]; then exit 0; fi
rate=${rates[$SLURM_ARRAY_TASK_ID]}
python tune.py --rate "$rate"
