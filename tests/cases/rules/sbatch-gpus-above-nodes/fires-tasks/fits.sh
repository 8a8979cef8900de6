#!/bin/bash
#SBATCH --ntasks=6 --cpus-per-task=4 --time=1-0 --ntasks-per-node=2
#SBATCH --gpus-per-task=4
srun --cpus-per-task=4 train
