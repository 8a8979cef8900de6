#!/bin/bash
#SBATCH --ntasks=1 --cpus-per-gpu=10 --gres=gpu:v100:1 --time=1:00:00
srun accelerate launch --mixed_precision=bf16 train.py   # finding: sbatch-bf16-on-older-gpu
