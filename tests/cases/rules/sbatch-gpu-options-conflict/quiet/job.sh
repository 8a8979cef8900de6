#!/bin/bash
#SBATCH --time=1-0
#SBATCH --nodes=2 --gres=gpu:8
#SBATCH --gpus-per-node=8 --cpus-per-gpu=8
srun hostname
