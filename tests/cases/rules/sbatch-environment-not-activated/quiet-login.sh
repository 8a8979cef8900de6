#!/bin/bash -l
#SBATCH --job-name=train
#SBATCH --gres=gpu:2 --cpus-per-task=8
#SBATCH --time=04:00:00
conda activate vision
python train.py
