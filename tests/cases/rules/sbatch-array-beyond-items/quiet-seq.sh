#!/bin/bash
#SBATCH --job-name=years
#SBATCH --nodes=1 --ntasks=1 --time=04:00:00
#SBATCH --output=years-%A_%a.out
#SBATCH --array=0-82
YEARS=({1940..2022})
python resample.py --year ${YEARS[$SLURM_ARRAY_TASK_ID]}
