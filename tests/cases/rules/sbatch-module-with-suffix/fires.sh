#!/bin/bash
#SBATCH --job-name=train
#SBATCH --gres=gpu:1 --cpus-per-task=8
#SBATCH --time=04:00:00
python3 -m train.py --epochs 3   # finding: sbatch-module-with-suffix
