#!/bin/bash
#SBATCH --gpus-per-node=2 --cpus-per-task=8 --time=60
# finding: sbatch-devices-by-hand
CUDA_VISIBLE_DEVICES=0,1,2,3 python train.py
