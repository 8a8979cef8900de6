#!/bin/bash
# finding: sbatch-gpus-per-task-alone
#SBATCH --nodes=2 --gpus-per-task=4 --cpus-per-task=4
#SBATCH --time=60
srun hostname
