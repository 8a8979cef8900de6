#!/bin/bash
#SBATCH --array=0-15
#SBATCH --output=sweep-%A.out   # finding: sbatch-output-shared-by-array
#SBATCH --gpus-per-node=1 --cpus-per-task=8 --time=1-0
python train.py --seed "$SLURM_ARRAY_TASK_ID"
