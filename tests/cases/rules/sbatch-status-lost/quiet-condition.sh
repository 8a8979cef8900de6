#!/bin/bash
#SBATCH --nodes=1 --gres=gpu:1 --cpus-per-task=8 --time=1:00:00
if ! srun -c 8 python train.py; then
  touch failed
fi
echo "done"
