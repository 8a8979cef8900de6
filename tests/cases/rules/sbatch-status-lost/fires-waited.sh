#!/bin/bash
#SBATCH --ntasks=1 --gres=gpu:1 --cpus-per-gpu=8 --time=1:00:00
srun python train.py &
CHILD=$!
wait $CHILD
echo "it is over"   # finding: sbatch-status-lost
