#!/bin/bash
#SBATCH --partition=wide --cpus-per-task=4 --time=1-0
#SBATCH --gpus=2
srun --cpus-per-task=4 train
