#!/bin/bash
#SBATCH --nodes=1 --ntasks=1 --gpus-per-node=1 --cpus-per-task=8 --time=1-0
export MASTER_PORT=29500
python train.py
