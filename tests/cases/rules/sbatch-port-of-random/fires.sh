#!/bin/bash
#SBATCH --nodes=1 --gres=gpu:8 --cpus-per-task=64 --exclusive --time=1:00:00
export MASTER_PORT=$RANDOM   # finding: sbatch-port-of-random
torchrun --nnodes=1 --nproc_per_node=8 --master_port="$MASTER_PORT" train.py
