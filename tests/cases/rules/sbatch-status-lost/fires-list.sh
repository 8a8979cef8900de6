#!/bin/bash
#SBATCH --job-name=train
#SBATCH --gpus-per-node=4 --cpus-per-gpu=8
#SBATCH --time=02:00:00
python train.py
conda deactivate
ls -l checkpoints   # finding: sbatch-status-lost
