#!/bin/bash
#SBATCH --nodes=2 --gres=gpu:8
# finding: sbatch-gpu-options-conflict
#SBATCH --gpus-per-node=8 --cpus-per-gpu=8
srun hostname
