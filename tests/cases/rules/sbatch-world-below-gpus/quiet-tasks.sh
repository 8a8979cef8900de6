#!/bin/bash
#SBATCH --nodes=1 --ntasks=2 --gpus-per-node=4 --cpus-per-task=16 --time=1-0   # finding: sbatch-launcher-per-task
srun --cpus-per-task=16 accelerate launch --num_processes=2 train.py
