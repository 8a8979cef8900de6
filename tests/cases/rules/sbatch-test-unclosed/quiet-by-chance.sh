#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --time=1:00:00
if [ -z "$MODEL"]; then
  MODEL=small
fi
srun python train.py "$MODEL"
