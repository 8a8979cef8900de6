#!/bin/bash
#SBATCH --gpus-per-node=1 --cpus-per-task=4 --time=1-0
#SBATCH --mem=500G
#SBATCH hetjob
#SBATCH --partition=cpu --cpus-per-task=4 --mem=100G
srun --het-group=0 --cpus-per-task=4 train
