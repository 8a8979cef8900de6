#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4 --cpus-per-task=8 --time=1-0
srun --cpus-per-task=8 --tres-bind=gres/gpu:single:1 torchrun --nnodes=$SLURM_NTASKS --nproc_per_node=gpu --rdzv_backend=c10d --rdzv_endpoint=$HEAD train.py
