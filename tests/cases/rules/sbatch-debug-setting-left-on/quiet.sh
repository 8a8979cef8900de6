#!/bin/bash
#SBATCH --time=60
#SBATCH --gpus-per-node=1
#SBATCH --cpus-per-task=4
export NCCL_P2P_DISABLE=1
export NCCL_DEBUG=INFO
export CUDA_LAUNCH_BLOCKING=0
if [ "$1" = debug ]; then
  export CUDA_LAUNCH_BLOCKING=1
fi
python train.py
