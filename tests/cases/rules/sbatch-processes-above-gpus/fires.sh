#!/bin/bash
#SBATCH --nodes=1
#SBATCH --gres=gpu:a100:4 --cpus-per-task=32 --time=1-0
NPROC=8   # finding: sbatch-processes-above-gpus
torchrun --standalone --nproc_per_node=$NPROC train.py
