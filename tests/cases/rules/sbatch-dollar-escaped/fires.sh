#!/bin/bash
#SBATCH --time=1:00:00 --nodes=4 --ntasks-per-node=1 --gpus-per-node=4 --cpus-per-task=32 --exclusive
export MASTER_ADDR=$(scontrol show hostnames $SLURM_JOB_NODELIST | head -n 1)
# finding: sbatch-dollar-escaped
srun --cpus-per-task=32 torchrun --nnodes=4 --nproc_per_node=4 --rdzv_id=\$SLURM_JOB_ID --rdzv_backend=c10d --rdzv_endpoint=$MASTER_ADDR:29500 train.py
