#!/bin/bash
#SBATCH --ntasks=4 --cpus-per-task=4 --time=1-0 --ntasks-per-node=5
#SBATCH --gpus-per-task=1   # finding: sbatch-gpus-above-nodes
srun --cpus-per-task=4 train
