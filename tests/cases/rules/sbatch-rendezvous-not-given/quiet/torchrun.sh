#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=32
#SBATCH --gpus-per-node=4
#SBATCH --time=01:00:00
srun --cpus-per-task=32 torchrun --standalone --nproc-per-node=4 fit_all.py --epochs 3
