#!/bin/bash
#SBATCH --nodes=1 --ntasks-per-node=8 --cpus-per-task=12 --time=1-0
#SBATCH --gpus-per-task=1
srun --cpus-per-task=12 ./each.sh   # finding: sbatch-devices-by-task-number
