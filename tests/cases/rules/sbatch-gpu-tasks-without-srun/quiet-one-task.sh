#!/bin/bash
#SBATCH --nodes=1 --ntasks-per-node=1 --time=1-0
#SBATCH --gpus-per-node=4 --cpus-per-task=32
python train.py --epochs 5
