#!/bin/bash
#SBATCH --time=1-0
#SBATCH -N 4 --gres=gpu:8 --cpus-per-task=8
nvidia-smi
