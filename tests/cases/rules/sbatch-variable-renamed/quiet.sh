#!/bin/bash
#SBATCH --time=1:00:00 --nodes=1 --ntasks-per-node=1 --gpus-per-node=4 --cpus-per-task=8 --mem=40G
export TORCH_NCCL_ASYNC_ERROR_HANDLING=1
torchrun --standalone --nproc_per_node=4 train.py
