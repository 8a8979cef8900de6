#!/bin/bash
#SBATCH --time=1:00:00
#SBATCH --array=1-4
python run.py --part $SLURM_ARRAY_TASK_ID
