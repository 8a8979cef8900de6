#!/bin/bash
#SBATCH --nodes=2 --cpus-per-task=8 --gpus-per-node=4 --mem=0 --time=1-0
# silenced by: #SBATCH --ntasks-per-node=4
#SBATCH --ntasks-per-node=1
srun -c 8 python solve.py   # finding: sbatch-jax-sees-one-device
