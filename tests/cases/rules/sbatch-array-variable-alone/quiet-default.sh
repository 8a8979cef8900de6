#!/bin/bash
#SBATCH --time=1:00:00
python run.py --part ${SLURM_ARRAY_TASK_ID:-0}
