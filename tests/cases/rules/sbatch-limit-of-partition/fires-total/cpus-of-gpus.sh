#!/bin/bash
#SBATCH --cpus-per-gpu=48 --time=1-0
#SBATCH --gpus=9   # finding: sbatch-limit-of-partition
srun train
