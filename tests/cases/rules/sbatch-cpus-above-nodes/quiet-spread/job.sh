#!/bin/bash
#SBATCH --gpus=16 --time=1-0 --mem=100G
#SBATCH --cpus-per-gpu=12
srun train
