#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=4 --cpus-per-task=32 --time=1-0
accelerate launch --config_file one.yaml --num_processes=2 train.py
