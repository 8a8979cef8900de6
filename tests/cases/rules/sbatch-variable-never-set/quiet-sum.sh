#!/bin/bash
#SBATCH --nodes=1 --time=1:00:00 --gpus-per-node=1 --cpus-per-task=8
for ((line = 1; line < 5; line += 2)); do
  srun -c 8 python train.py --row "$line"
done
