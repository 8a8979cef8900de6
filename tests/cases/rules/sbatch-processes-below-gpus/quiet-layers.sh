#!/bin/bash
#SBATCH --job-name=resnet-model-parallel
#SBATCH --nodes=1
#SBATCH --gpus-per-node=2 --cpus-per-task=64 --time=1-0
torchrun --standalone --nproc-per-node 1 train.py
