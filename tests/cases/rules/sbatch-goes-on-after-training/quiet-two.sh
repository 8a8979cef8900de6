#!/bin/bash
#SBATCH --time=1-0 --gpus-per-node=1 --cpus-per-task=8
python train.py --seed 1
python train.py --seed 2
