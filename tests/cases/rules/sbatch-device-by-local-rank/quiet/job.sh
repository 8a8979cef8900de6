#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=4 --cpus-per-task=8 --gpus-per-task=1 --time=1-0
export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1) MASTER_PORT=$((SLURM_JOB_ID % 9999 + 9999))
srun -c 8 python segment.py
