#!/bin/bash
#SBATCH --nodes=1 --gres=gpu:h100:8 --cpus-per-gpu=12 --time=1-0 --exclusive
#SBATCH --mem-per-gpu=120G
srun train
