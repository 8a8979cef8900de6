#!/bin/bash
#SBATCH --time=1:00:00
##SBATCH --array=0-30%1
python run.py
# finding: sbatch-array-variable-alone
scancel $SLURM_ARRAY_JOB_ID
