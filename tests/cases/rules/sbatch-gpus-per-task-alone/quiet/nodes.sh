#!/bin/bash
#SBATCH --nodes=2 --gpus-per-task=4 --exclusive
#SBATCH --time=60
srun hostname
