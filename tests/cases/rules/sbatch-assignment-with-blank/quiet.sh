#!/bin/bash
#SBATCH --time=1:00:00 --gpus-per-node=1 --cpus-per-task=8 --mem=40G
export HF_HOME= HF_HUB_OFFLINE=1
CUDA_LAUNCH_BLOCKING= python train.py
if [ "$A" = /scratch ]; then echo yes; fi
expr 3 = 4
