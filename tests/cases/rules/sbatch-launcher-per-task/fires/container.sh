#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=8   # finding: sbatch-launcher-per-task
#SBATCH --gpus-per-node=8 --cpus-per-task=8 --time=1-0
# finding: sbatch-step-cpus-not-inherited
srun --container-image=./train.sqsh --no-container-entrypoint \
  torchrun --nnodes=2 --nproc_per_node=8 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29500 train.py
