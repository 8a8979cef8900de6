#!/bin/bash
#SBATCH --output=%x.out   # finding: sbatch-output-overwritten
#SBATCH --gpus-per-node=1 --cpus-per-task=8 --time=1-0
python train.py
