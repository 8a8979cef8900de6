#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4 --cpus-per-task=8 --gpu-bind=single:1 --time=1-0
srun --cpus-per-task=8 torchrun --nnodes=$SLURM_NTASKS --nproc_per_node=gpu --rdzv_backend=c10d --rdzv_endpoint=$HEAD train.py
