#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=8 --time=1-0
#SBATCH --cpus-per-task=95
srun --cpus-per-task=95 train
