#!/bin/bash
#SBATCH --nodes=1 --ntasks-per-node=1 --gpus-per-node=4 --cpus-per-gpu=8 --time=1:00:00
NCCL_DEBUG=INFO
source ./launch_settings.sh
srun python train.py
