#!/bin/bash
#SBATCH --nodes=2 --cpus-per-task=16 --time=1-0 --mem=100G
#SBATCH --gpus=16
srun --cpus-per-task=16 train
