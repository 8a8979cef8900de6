#!/bin/bash
#SBATCH --output=~/logs/%j.out   # finding: sbatch-tilde-not-expanded
#SBATCH --gpus-per-node=1 --cpus-per-task=8 --time=1-0
python train.py
