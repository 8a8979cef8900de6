#!/bin/bash
#SBATCH --job-name=train
#SBATCH --gres=gpu:2 --cpus-per-task=8
#SBATCH --time=04:00:00
source ~/miniconda3/etc/profile.d/conda.sh
conda activate vision
python train.py
