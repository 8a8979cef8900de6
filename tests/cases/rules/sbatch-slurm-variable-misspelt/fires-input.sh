#!/bin/bash
#SBATCH --job-name=gpt
#SBATCH --gpus-per-node=4
#SBATCH --cpus-per-gpu=8
#SBATCH --time=04:00:00
python train.py --workers $SBATCH_CPUS_PER_GPU   # finding: sbatch-slurm-variable-misspelt, sbatch-variable-misspelt
