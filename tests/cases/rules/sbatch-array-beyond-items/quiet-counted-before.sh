#!/bin/bash
#SBATCH --array=1-4
#SBATCH --time=1:00:00
A=(a b c d)
IDX=$SLURM_ARRAY_TASK_ID
((--IDX))
./run "${A[$IDX]}"
