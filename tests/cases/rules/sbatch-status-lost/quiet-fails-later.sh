#!/bin/bash
#SBATCH --nodes=1 --gres=gpu:1 --cpus-per-task=8 --time=1:00:00
srun -c 8 python train.py
if [ ! -f model.pt ]; then
  echo "no model"
  exit 1
fi
echo "done"
