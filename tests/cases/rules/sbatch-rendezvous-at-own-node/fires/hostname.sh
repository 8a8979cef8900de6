#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1
#SBATCH --gpus-per-node=8 --cpus-per-task=64 --time=1-0
# finding: sbatch-rendezvous-at-own-node
srun bash -c 'torchrun --nnodes=2 --nproc_per_node=8 --rdzv_backend=c10d --rdzv_endpoint=$(hostname):29500 train.py'   # finding: sbatch-step-cpus-not-inherited
