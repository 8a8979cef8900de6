#!/bin/bash
#SBATCH --ntasks=2 --cpus-per-task=4 --time=1-0
#SBATCH --gpus=17   # finding: sbatch-limit-of-partition
srun --cpus-per-task=4 train
