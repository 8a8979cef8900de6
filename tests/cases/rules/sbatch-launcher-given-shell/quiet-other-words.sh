#!/bin/bash
#SBATCH --nodes=1 --ntasks-per-node=1 --gpus-per-node=4 --cpus-per-gpu=8 --time=1:00:00
srun -J torchrun bash launch.sh
torchrun --standalone --nproc-per-node=4 --virtual-local-rank train.py configs/hooks.sh
