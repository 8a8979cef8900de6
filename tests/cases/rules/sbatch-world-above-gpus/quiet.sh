#!/bin/bash
#SBATCH --job-name=sft
#SBATCH --nodes=1
#SBATCH --gpus-per-node=8 --cpus-per-gpu=8
#SBATCH --time=04:00:00
accelerate launch --num_machines 1 --num_processes 8 dpo.py
