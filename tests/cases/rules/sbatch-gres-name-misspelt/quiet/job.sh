#!/bin/bash
#SBATCH --time=60 --cpus-per-task=4
#SBATCH --gres=gpu:1
python train.py
