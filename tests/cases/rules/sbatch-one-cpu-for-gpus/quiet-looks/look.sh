#!/bin/bash
#SBATCH --gres=gpu:2
#SBATCH --time=10
#SBATCH --mem=8G
hostname
srun nvidia-smi
