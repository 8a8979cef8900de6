#!/bin/bash
#SBATCH --job-name=years
#SBATCH --nodes=1 --ntasks=1 --time=04:00:00
#SBATCH --output=years-%A_%a.out
#SBATCH --array=1-83   # finding: sbatch-array-beyond-items
YEARS=($(seq 1940 2022))
python resample.py --year ${YEARS[$SLURM_ARRAY_TASK_ID]}
