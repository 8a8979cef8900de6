#!/bin/bash
#SBATCH --job-name=folds
#SBATCH --nodes=1 --ntasks=1 --cpus-per-task=16 --gpus-per-node=4 --time=04:00:00
for fold in 0 1 2 3; do
  CUDA_VISIBLE_DEVICES=$fold python tune.py --fold "$fold" > "fold$fold.log" 2>&1 &
done
wait   # finding: sbatch-status-lost
