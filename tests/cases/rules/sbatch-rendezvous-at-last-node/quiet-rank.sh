#!/bin/bash
#SBATCH --job-name=train
#SBATCH --nodes=2 --ntasks-per-node=1 --gpus-per-node=4 --cpus-per-task=16
#SBATCH --exclusive
#SBATCH --time=04:00:00
LAST=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | tail -n 1)
srun --cpus-per-task=16 bash -c "torchrun --nnodes=2 --nproc_per_node=4 --node_rank=\$((1 - SLURM_NODEID)) --master_addr=$LAST --master_port=$((20000 + SLURM_JOB_ID % 20000)) train.py"
