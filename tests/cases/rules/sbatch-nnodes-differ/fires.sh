#!/bin/bash
#SBATCH --nodes=4 --ntasks-per-node=1
#SBATCH --gpus-per-node=8 --cpus-per-task=64 --time=1-0
srun torchrun --nnodes=2 --nproc_per_node=8 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29500 train.py   # finding: sbatch-nnodes-differ, sbatch-step-cpus-not-inherited
