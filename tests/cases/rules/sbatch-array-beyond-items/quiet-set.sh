#!/bin/bash
#SBATCH --array=1-4
#SBATCH --time=1:00:00
A=(a b c d)
SLURM_ARRAY_TASK_ID=$((SLURM_ARRAY_TASK_ID - 1))
./run "${A[$SLURM_ARRAY_TASK_ID]}"
