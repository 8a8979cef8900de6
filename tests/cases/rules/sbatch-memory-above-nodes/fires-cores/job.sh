#!/bin/bash
#SBATCH --nodes=1 --ntasks=1 --gpus-per-node=1 --cpus-per-task=1 --time=1-0   # finding: sbatch-one-cpu-for-gpus
#SBATCH --mem-per-cpu=600G   # finding: sbatch-memory-above-nodes
srun train
