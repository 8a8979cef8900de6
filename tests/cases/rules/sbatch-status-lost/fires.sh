#!/bin/bash
#SBATCH --nodes=1 --gres=gpu:1 --cpus-per-task=8 --time=1:00:00
srun -c 8 python train.py
echo "done at $(date)"   # finding: sbatch-status-lost
