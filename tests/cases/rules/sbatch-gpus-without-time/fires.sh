#!/bin/bash
#SBATCH --job-name=train   # finding: sbatch-gpus-without-time
#SBATCH --gres=gpu:1
#SBATCH --cpus-per-task=4
python train.py
