#!/bin/bash
#SBATCH --gpus-per-node=2 --cpus-per-task=8 --time=1-0
export CUDA_VISIBLE_DEVICES=0,1   # finding: sbatch-devices-by-hand
python train.py
