#!/bin/bash
#SBATCH --job-name=grid
#SBATCH --nodes=1 --ntasks=1 --time=04:00:00
#SBATCH --output=grid-%A_%a.out
#SBATCH --array=1-3
kinds=(base a b c)   # the base is there already
python tune.py --kind "${kinds[$SLURM_ARRAY_TASK_ID]}"
