#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --gpus-per-task=1 --cpus-per-task=16
#SBATCH --time=60
srun hostname
