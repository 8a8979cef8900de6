#!/bin/bash
#SBATCH --time=60 --cpus-per-task=4
#SBATCH --gres=gpus:1   # finding: sbatch-gres-name-misspelt
python train.py
