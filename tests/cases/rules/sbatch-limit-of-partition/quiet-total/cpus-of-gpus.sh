#!/bin/bash
#SBATCH --cpus-per-gpu=48 --time=1-0
#SBATCH --gpus=8
srun train
