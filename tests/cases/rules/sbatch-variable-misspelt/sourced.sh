#!/bin/bash
#SBATCH --nodes=1 --ntasks-per-node=1 --gpus-per-node=1 --cpus-per-gpu=8 --time=1-0
# Another file may set it.
source ./settings
SCALE=1
srun python train.py --scale "$scale"
