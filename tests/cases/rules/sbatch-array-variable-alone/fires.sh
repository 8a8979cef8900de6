#!/bin/bash
#SBATCH --time=1:00:00
# finding: sbatch-array-variable-alone
python run.py --part $SLURM_ARRAY_TASK_ID
