#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --time=1:00:00
if [ -z "$MODEL" ]; then
  MODEL=small
fi
if [ "${LIST[0]}" = "a[0]" ]; then
  MODEL=large
fi
[[ $MODEL == *[0-9]* ]] && echo numbered
srun python train.py "$MODEL"
