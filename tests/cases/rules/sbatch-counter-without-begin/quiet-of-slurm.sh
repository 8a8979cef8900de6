#!/bin/bash
#SBATCH --array=0-90:3 --job-name=parts --nodes=1 --gres=gpu:1 --cpus-per-task=8 --time=1:00:00
#SBATCH --output=parts-%A_%a.out
for k in 1 2 3; do
  srun python run.py --id $SLURM_ARRAY_TASK_ID
  SLURM_ARRAY_TASK_ID=$((SLURM_ARRAY_TASK_ID + 1))
done
