#!/bin/bash
#SBATCH --job-name=train-%j   # finding: sbatch-pattern-in-job-name
#SBATCH --gpus-per-node=1 --cpus-per-task=8 --time=1-0
python train.py
