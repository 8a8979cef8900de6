#!/bin/bash
#SBATCH --job-name=lattice
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=2
#SBATCH --time=01:00:00
export OMP_NUM_THREADS=24
ibrun ./lattice
