#!/bin/bash
#SBATCH --output=train.out --open-mode=append
#SBATCH --gpus-per-node=1 --cpus-per-task=8 --time=1-0
python train.py
