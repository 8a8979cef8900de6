#!/bin/bash
#SBATCH --partition=gpu --nodes=2 --ntasks-per-node=6 --gpus-per-task=1
#SBATCH --cpus-per-task=8 --mem=400G --time=1:00:00
#SBATCH --exclusive
srun --cpus-per-task=8 ./solve
