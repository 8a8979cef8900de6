#!/bin/bash
#SBATCH --nodes=1 --gres=gpu:8 --cpus-per-task=64 --exclusive --time=1:00:00
export MASTER_PORT=$((20000 + RANDOM % 10000))
SEED=$RANDOM
torchrun --nnodes=1 --nproc_per_node=8 --master_port="$MASTER_PORT" train.py --seed "$SEED"
