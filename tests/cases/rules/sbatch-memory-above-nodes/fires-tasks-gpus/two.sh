#!/bin/bash
#SBATCH --nodes=2 --ntasks=3 --gpus-per-task=4 --cpus-per-task=4 --time=1-0   # finding: sbatch-tasks-uneven
#SBATCH --mem-per-gpu=130G   # finding: sbatch-memory-above-nodes
srun --cpus-per-task=4 train
