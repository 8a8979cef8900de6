#!/bin/bash
#SBATCH --nodes=1 --ntasks-per-node=1 --exclusive
# silenced by: #SBATCH --gpus-per-node=8 --time=1-0
#SBATCH --gpus-per-node=4 --time=1-0
srun torchrun --standalone --nproc_per_node=8 train.py   # finding: sbatch-processes-above-gpus
