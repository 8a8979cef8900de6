#!/bin/bash
#SBATCH --nodes=1
#SBATCH --gpus-per-node=8 --cpus-per-task=64 --time=1-0
torchrun --standalone --nproc-per-node 4 train.py   # finding: sbatch-processes-below-gpus
