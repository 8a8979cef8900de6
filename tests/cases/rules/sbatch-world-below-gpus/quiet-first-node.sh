#!/bin/bash
#SBATCH --nodes=2 --gpus-per-node=4 --ntasks-per-node=1 --cpus-per-task=32 --time=1-0   # finding: sbatch-nodes-idle
accelerate launch --num_processes=4 check.py
