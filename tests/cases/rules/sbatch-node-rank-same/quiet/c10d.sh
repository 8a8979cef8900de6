#!/bin/bash
#SBATCH --nodes=4 --ntasks-per-node=1
#SBATCH --gpus-per-node=8 --cpus-per-task=64 --time=1-0
srun torchrun --nnodes=4 --nproc_per_node=8 --node_rank=$SLURM_NODEID --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29500 train.py   # finding: sbatch-step-cpus-not-inherited
