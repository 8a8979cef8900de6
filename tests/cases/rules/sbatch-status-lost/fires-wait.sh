#!/bin/bash
#SBATCH --job-name=train
#SBATCH --nodes=2
#SBATCH --gpus-per-node=4 --cpus-per-gpu=8
#SBATCH --time=02:00:00
srun --nodes=1 --ntasks=1 python train.py --fold 0 &
srun --nodes=1 --ntasks=1 python train.py --fold 1 &
wait   # finding: sbatch-status-lost
