#!/bin/bash
#SBATCH --job-name=train
#SBATCH --nodes=2 --ntasks-per-node=1 --gpus-per-node=4 --cpus-per-task=16
#SBATCH --exclusive
#SBATCH --time=04:00:00
export HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
# finding: sbatch-rendezvous-drawn-by-each
srun --cpus-per-task=16 bash -c 'PORT=$((20000 + RANDOM % 20000)); torchrun --nnodes=2 --nproc_per_node=4 --rdzv_id=$SLURM_JOB_ID --rdzv_backend=c10d --rdzv_endpoint=$HEAD:$PORT train.py'
