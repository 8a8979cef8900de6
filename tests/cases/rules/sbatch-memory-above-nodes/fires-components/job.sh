#!/bin/bash
#SBATCH --gpus-per-node=1 --cpus-per-task=4 --time=1-0
#SBATCH --mem=500G   # finding: sbatch-memory-above-nodes
#SBATCH hetjob
#SBATCH --partition=cpu --cpus-per-task=4
srun --het-group=0 --cpus-per-task=4 train
