#!/bin/bash
#SBATCH --ntasks=1 --time=1:00:00
echo "ends after $SLURM_TIMELIMIT"   # finding: sbatch-slurm-variable-misspelt
python train.py --queue $SLURM_PARTITION   # finding: sbatch-slurm-variable-misspelt
