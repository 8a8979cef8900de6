#!/bin/bash
#SBATCH --partition=mixed --nodelist=gpu1,cpu1 --nodes=2 --time=60 --cpus-per-gpu=8
#SBATCH --gpus=2   # finding: sbatch-limit-of-partition
srun train
