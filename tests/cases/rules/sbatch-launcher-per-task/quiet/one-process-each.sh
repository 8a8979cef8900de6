#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=8
#SBATCH --gpus-per-node=8 --cpus-per-task=8 --time=1-0
srun torchrun --nnodes=16 --nproc_per_node=1 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29500 train.py   # finding: sbatch-step-cpus-not-inherited
srun -n 2 torchrun --nnodes=2 --nproc_per_node=8 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29500 train.py   # finding: sbatch-step-cpus-not-inherited
