#!/bin/bash
#SBATCH --partition=gpu --nodes=2 --ntasks-per-node=4 --gpus-per-task=1
#SBATCH --cpus-per-task=8 --mem=400G --time=1:00:00
#SBATCH --exclusive   # finding: sbatch-exclusive-for-few-gpus
srun --cpus-per-task=8 ./solve
