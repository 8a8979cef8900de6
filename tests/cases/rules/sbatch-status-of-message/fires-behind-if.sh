#!/bin/bash
#SBATCH --gpus-per-node=1 --cpus-per-task=8 --time=1:00:00 --output=%x-%j.out
srun -c 8 python train.py
if [ -f report.md ]; then
  cp report.md "$HOME"
  echo "saved"
fi

# How did it go?
if [ $? -ne 0 ]; then   # finding: sbatch-status-of-message
  exit 1
fi
