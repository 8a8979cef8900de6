#!/bin/bash
#SBATCH --gpus-per-node=2 --cpus-per-task=16 --time=1-0
export MASTER_PORT=29400
deepspeed --num_gpus 2 train.py
