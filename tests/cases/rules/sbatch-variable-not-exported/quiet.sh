#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --gres=gpu:4 --cpus-per-gpu=8 --time=1:00:00
export NCCL_IB_HCA=mlx5_0
MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
TF_CONFIG=$(python cluster.py)
export TF_CONFIG
NCCL_HOME=/opt/nccl
SIZE=3
PORT=$((20000 + SLURM_JOB_ID % 10000))
NCCL_SOCKET_NTHREADS=4 srun torchrun --nnodes=2 --nproc-per-node=4 --rdzv-backend=c10d \
  --rdzv-endpoint=$MASTER_ADDR:$PORT train.py --size $SIZE
