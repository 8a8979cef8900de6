#!/bin/bash
#SBATCH --gres=gpu:1 --cpus-per-task=8 --time=1:00:00
#SBATCH --exclusive   # finding: sbatch-exclusive-for-few-gpus
python3 train.py
