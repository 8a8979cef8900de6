#!/bin/bash
#SBATCH --gpus-per-node=2 --cpus-per-gpu=8 --time=60
export CUDA_VISIBLE_DEVICES=0,1
srun python train.py
