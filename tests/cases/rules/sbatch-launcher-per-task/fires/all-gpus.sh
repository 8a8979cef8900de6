#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4   # finding: sbatch-launcher-per-task
#SBATCH --gpus-per-node=4 --cpus-per-task=8 --time=1-0
srun --cpus-per-task=8 torchrun --nnodes=$SLURM_NNODES --nproc_per_node=gpu --rdzv_backend=c10d --rdzv_endpoint=$HEAD train.py
