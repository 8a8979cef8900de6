#!/bin/bash
#SBATCH --ntasks=1 --cpus-per-gpu=10 --gres=gpu:v100:1 --time=1:00:00
srun accelerate launch --mixed_precision=fp16 train.py --bf16 False
