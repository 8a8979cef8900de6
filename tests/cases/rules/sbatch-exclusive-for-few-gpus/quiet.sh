#!/bin/bash
#SBATCH --gres=gpu:4 --cpus-per-task=8 --time=1:00:00
#SBATCH --exclusive
python3 train.py
