#!/bin/bash
#SBATCH --array=1-2
#SBATCH --output=%A_%a.out
#SBATCH --time=01:00:00
#SBATCH --mem=4G
args=$(sed -n "$SLURM_ARRAY_TASK_ID"p lists/all.txt)
python3 fit.py $args
