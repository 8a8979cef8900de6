#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --gpus-per-node=4 --cpus-per-task=8 --time=1-0
PROCESSES=$(jq .processes settings.json)
srun --cpus-per-task=8 torchrun --nnodes=$NNODES --nproc_per_node=$PROCESSES --rdzv_backend=c10d --rdzv_endpoint=$HEAD train.py
