#!/bin/bash
#SBATCH --ntasks=4
#SBATCH --ntasks-per-node=5
#SBATCH --time=10
srun ./a
