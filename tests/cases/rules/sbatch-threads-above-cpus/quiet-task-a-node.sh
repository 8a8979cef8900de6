#!/bin/bash
#SBATCH --job-name=lattice
#SBATCH -N 4
#SBATCH -n 4
#SBATCH --time=01:00:00
export OMP_NUM_THREADS=48
mpirun ./lattice
