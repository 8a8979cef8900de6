#!/bin/bash
#SBATCH --gres=gpu:1
#SBATCH --cpus-per-task=8
# finding: sbatch-exclusive-for-few-gpus
#SBATCH --mem=0 --exclusive
#SBATCH --time=1:00:00
python train.py
