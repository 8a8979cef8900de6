#!/bin/bash
# finding: sbatch-gpus-per-task-alone
#SBATCH --gpus-per-task=1 --cpus-per-gpu=8
#SBATCH --ntasks-per-node=1
#SBATCH --nodes=2-6   # finding: sbatch-node-range
#SBATCH --time=60
srun hostname
