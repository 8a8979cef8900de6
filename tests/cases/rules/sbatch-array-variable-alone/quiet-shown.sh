#!/bin/bash
#SBATCH --time=1:00:00
##SBATCH --array=0-30
# Submit it with sbatch --array=FIRST-LAST shown.sh
python run.py --part $SLURM_ARRAY_TASK_ID
