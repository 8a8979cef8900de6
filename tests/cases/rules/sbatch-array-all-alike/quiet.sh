#!/bin/bash
#SBATCH --time=60 --ntasks=1
#SBATCH --array=1-8
python fit.py --out "result.$SLURM_ARRAY_TASK_ID"
