#!/bin/bash
#SBATCH --gres=gpu:1
#SBATCH --qos=short
#SBATCH --cpus-per-task=4
python train.py
