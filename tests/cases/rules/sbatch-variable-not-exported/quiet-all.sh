#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --gres=gpu:4 --cpus-per-gpu=8 --time=1:00:00
set -a
NCCL_IB_HCA=mlx5_0
set +a
srun python train.py
