#!/bin/bash
#SBATCH --nodes=1
#SBATCH --gpus-per-node=8 --cpus-per-task=64 --time=1-0
CUDA_VISIBLE_DEVICES=0,1,2,3 torchrun --master_port=29500 --nproc_per_node=4 a.py &
CUDA_VISIBLE_DEVICES=4,5,6,7 torchrun --master_port=29501 --nproc_per_node=4 b.py &
wait   # finding: sbatch-status-lost
