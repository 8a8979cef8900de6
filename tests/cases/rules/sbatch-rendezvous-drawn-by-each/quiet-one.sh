#!/bin/bash
#SBATCH --job-name=train
#SBATCH --nodes=1 --ntasks-per-node=1 --gpus-per-node=4 --cpus-per-task=16
#SBATCH --exclusive
#SBATCH --time=04:00:00
srun --cpus-per-task=16 bash -c 'torchrun --nnodes=1 --nproc_per_node=4 --master_port=$((20000 + RANDOM % 20000)) train.py'
