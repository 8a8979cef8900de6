#!/bin/bash
#SBATCH --job-name=train
#SBATCH --gres=gpu:2 --cpus-per-task=8
#SBATCH --time=04:00:00
module load miniforge
conda activate vision
python train.py
