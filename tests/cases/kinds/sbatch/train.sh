#!/bin/bash
# vary: --nodes=8 => --nodes=9
#SBATCH --job-name=train --nodes=8   # two options on a line
#SBATCH --gpus-per-node=h100:8 -p gpu
#SBATCH --exclusive
# muster: workload llm-pretrain
srun torchrun --nnodes=8 --nproc_per_node=8 train.py
