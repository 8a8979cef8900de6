#!/bin/bash
#SBATCH --array=0-7
#SBATCH --time=1:00:00
A=(a b c d)
B=(e f g h)
if [ "$SLURM_ARRAY_TASK_ID" -lt 4 ]; then
  x=${A[$SLURM_ARRAY_TASK_ID]}
else
  x=${B[$((SLURM_ARRAY_TASK_ID - 4))]}
fi
./run "$x"
