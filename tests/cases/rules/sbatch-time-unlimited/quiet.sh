#!/bin/bash
#SBATCH --job-name=pre
#SBATCH --gpus-per-node=8 --cpus-per-gpu=6
#SBATCH --time=2-00:00:00
python train.py
