#!/bin/bash
#SBATCH --job-name=grpo
#SBATCH --nodes=1 --exclusive
#SBATCH --gres=gpu:8
#SBATCH --time=04:00:00
export CUDA_VISIBLE_DEVICES=0,1,2,3
python train.py
