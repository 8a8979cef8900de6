#!/bin/bash
#SBATCH --job-name=model-parallel
#SBATCH --nodes=1 --gpus-per-node=4 --cpus-per-task=32 --time=1-0
accelerate launch --num_processes=2 train.py
