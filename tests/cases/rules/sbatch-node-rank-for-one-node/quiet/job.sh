#!/bin/bash
#SBATCH --job-name=tune
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=4
#SBATCH --cpus-per-task=32
#SBATCH --time=1:00:00
#SBATCH --output=tune-%j.out
srun --cpus-per-task=32 torchrun --nnodes=1 --nproc_per_node=4 --node_rank=$SLURM_NODEID train.py  # finding: sbatch-launcher-port-default
srun --cpus-per-task=32 torchrun --nnodes=$SLURM_NNODES --nproc_per_node=4 --node_rank=$SLURM_NODEID --rdzv_backend=c10d --rdzv_endpoint=$(hostname):29500 train.py
