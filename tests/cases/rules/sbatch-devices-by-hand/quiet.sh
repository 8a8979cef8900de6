#!/bin/bash
#SBATCH --gpus-per-node=2 --cpus-per-task=8 --time=1-0
CUDA_VISIBLE_DEVICES=0 python a.py &
CUDA_VISIBLE_DEVICES=1 python b.py &
wait   # finding: sbatch-status-lost
