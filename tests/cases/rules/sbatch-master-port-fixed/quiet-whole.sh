#!/bin/bash
#SBATCH --exclusive --gpus-per-node=2 --time=1-0
export MASTER_PORT=29500
srun python train.py
