#!/bin/zsh
#SBATCH --array=1-4
#SBATCH --time=1:00:00
A=(a b c d)
./run "${A[$SLURM_ARRAY_TASK_ID]}"
