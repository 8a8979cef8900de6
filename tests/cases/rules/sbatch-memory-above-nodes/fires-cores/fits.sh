#!/bin/bash
#SBATCH --nodes=1 --ntasks=1 --gpus-per-node=1 --cpus-per-task=2 --time=1-0
#SBATCH --mem-per-cpu=480G
srun --cpus-per-task=2 train
