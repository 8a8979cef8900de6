#!/bin/bash
#SBATCH --job-name=train
#SBATCH --gres=gpu:2 --cpus-per-task=8
#SBATCH --time=04:00:00
module purge
# silenced by: module load cuda/12.4 miniforge
module load cuda/12.4 gcc
conda activate vision   # finding: sbatch-environment-not-activated
python train.py
