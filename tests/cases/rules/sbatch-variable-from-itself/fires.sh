#!/bin/bash
#SBATCH --time=1:00:00 --nodes=2 --ntasks-per-node=1 --gpus-per-node=4 --cpus-per-task=32 --exclusive
master_addr=$(scontrol show hostnames $SLURM_JOB_NODELIST | head -n 1)
export MASTER_ADDR=$MASTER_ADDR   # finding: sbatch-variable-from-itself
export MASTER_PORT=29500
srun --cpus-per-task=32 python train.py
