#!/bin/bash
#SBATCH --job-name=grid
#SBATCH --nodes=1 --ntasks=1 --time=04:00:00
#SBATCH --output=grid-%A_%a.out
#SBATCH --array=1-3
seeds=(buffer 11 22 33)
python tune.py --seed "${seeds[$SLURM_ARRAY_TASK_ID]}"
