#!/bin/bash
#SBATCH --job-name=pre
#SBATCH --gpus-per-node=8 --cpus-per-gpu=6
#SBATCH --time=UNLIMITED   # finding: sbatch-time-unlimited
python train.py
