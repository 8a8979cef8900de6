#!/bin/bash
#SBATCH --ntasks=4
#SBATCH --cpus-per-task=8
#SBATCH --time=10
srun --cpus-per-task=8 ./a
