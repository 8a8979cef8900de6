#!/bin/bash
# One node: torchrun finds no other.
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=1
srun torchrun --nnodes="$SLURM_NNODES" --nproc_per_node=1 --rdzv_endpoint="$MASTER_ADDR:29500" train.py
