#!/bin/bash
#SBATCH --job-name=train
#SBATCH --nodes=1 --ntasks-per-node=4 --gpus-per-node=4 --cpus-per-task=16
#SBATCH --exclusive
#SBATCH --time=04:00:00
export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | tail -1)
export MASTER_PORT=$((20000 + SLURM_JOB_ID % 20000))
srun --cpus-per-task=16 python train.py
