#!/bin/bash
#SBATCH --nodes=4 --ntasks-per-node=1 --gpus-per-node=8 --cpus-per-task=64 --time=1-0
srun -c 64 --container-image=/images/train.sqsh bash -c '
  host=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1 || echo localhost)
  torchrun --nnodes=$SLURM_NNODES --nproc_per_node=8 --rdzv_backend=c10d --rdzv_id=$SLURM_JOB_ID --rdzv_endpoint=$host:29400 train.py'
