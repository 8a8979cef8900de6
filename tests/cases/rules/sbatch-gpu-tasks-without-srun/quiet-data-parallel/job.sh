#!/bin/bash
#SBATCH --nodes=1 --ntasks-per-node=4 --time=1-0
#SBATCH --gpus-per-node=4 --cpus-per-task=8
module load cuda
python train.py --epochs 5
