#!/bin/bash
#SBATCH --nodes=1 --ntasks=1 --gpus-per-task=8 --cpus-per-task=4 --time=1-0
#SBATCH --mem-per-gpu=130G   # finding: sbatch-memory-above-nodes
srun --cpus-per-task=4 train
