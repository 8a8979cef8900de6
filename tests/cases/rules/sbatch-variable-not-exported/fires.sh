#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --gres=gpu:4 --cpus-per-gpu=8 --time=1:00:00
NCCL_IB_HCA=mlx5_0   # finding: sbatch-variable-not-exported
# finding: sbatch-variable-not-exported
TF_CONFIG=$(python cluster.py)
#export TF_CONFIG="$TF_CONFIG"
srun python train.py
