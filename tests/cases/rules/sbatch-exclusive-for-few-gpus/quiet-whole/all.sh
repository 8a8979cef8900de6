#!/bin/bash
#SBATCH --partition=gpu --nodes=2 --ntasks-per-node=1 --gpus-per-node=4
#SBATCH --cpus-per-task=32 --mem=400G --time=1:00:00
#SBATCH --exclusive
srun --cpus-per-task=32 ./solve
