#!/bin/bash
#SBATCH --ntasks=6 --cpus-per-task=4 --time=1-0 --ntasks-per-node=3
#SBATCH --gpus-per-task=4   # finding: sbatch-gpus-above-nodes
srun --cpus-per-task=4 train
