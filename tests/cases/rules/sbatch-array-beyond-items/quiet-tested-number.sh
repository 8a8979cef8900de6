#!/bin/bash
#SBATCH --array=0-7
#SBATCH --time=1:00:00
A=(a b c d)
if (( SLURM_ARRAY_TASK_ID >= 4 )); then exit 0; fi
./run "${A[$SLURM_ARRAY_TASK_ID]}"
