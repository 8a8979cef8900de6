#!/bin/bash
#SBATCH --job-name=gpt
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=8
#SBATCH --time=04:00:00
torchrun --standalone --nproc_per_node=4 train.py   # finding: sbatch-launch-without-gpus
