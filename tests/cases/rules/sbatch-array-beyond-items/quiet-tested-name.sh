#!/bin/bash
#SBATCH --array=0-7
#SBATCH --time=1:00:00
A=(a b c d)
IDX=$SLURM_ARRAY_TASK_ID
if [ $IDX -ge 4 ]; then exit 0; fi
./run "${A[$IDX]}"
