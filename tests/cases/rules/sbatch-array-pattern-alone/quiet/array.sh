#!/bin/bash
#SBATCH --time=1:00:00 --array=0-3
#SBATCH --output=%x.%A_%a.out
srun ./analyse "$SLURM_ARRAY_TASK_ID"
