#!/bin/bash
#SBATCH --job-name=halo
#SBATCH --nodes=1
#SBATCH --ntasks=4
#SBATCH --time=01:00:00
mpirun --oversubscribe -np 8 ./halo
