#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=4 --cpus-per-task=32 --time=1-0
if [ -n "$SMALL" ]; then
  accelerate launch --num_processes=2 train.py
fi
