#!/bin/bash
#SBATCH --job-name=train
#SBATCH --nodes=2 --ntasks-per-node=1 --gpus-per-node=4 --cpus-per-task=16
#SBATCH --exclusive
#SBATCH --time=04:00:00
LAST=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | tail -n 1)
srun --cpus-per-task=16 bash -c "torchrun --nnodes=2 --nproc_per_node=4 --node_rank=\$SLURM_PROCID --rdzv_id=$SLURM_JOB_ID --rdzv_backend=c10d --rdzv_endpoint=$LAST:$((20000 + SLURM_JOB_ID % 20000)) train.py"
