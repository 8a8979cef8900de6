#!/bin/bash
#SBATCH --nodes=2 --ntasks=2 --gpus-per-task=4 --cpus-per-task=4 --time=1-0
#SBATCH --mem-per-gpu=130G
srun --cpus-per-task=4 train
