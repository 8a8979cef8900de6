#!/bin/bash
#SBATCH --gpus-per-node=2 --cpus-per-task=8 --time=60
CUDA_VISIBLE_DEVICES=0 python train.py --seed 1 &
CUDA_VISIBLE_DEVICES=1 python train.py --seed 2 &
wait %1 && wait %2
