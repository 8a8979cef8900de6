#!/bin/bash
#SBATCH --array=0-15
#SBATCH --output=sweep-%A_%3a.out
#SBATCH --error=sweep.err --open-mode=append
#SBATCH --gpus-per-node=1 --cpus-per-task=8 --time=1-0
python train.py --seed "$SLURM_ARRAY_TASK_ID"
