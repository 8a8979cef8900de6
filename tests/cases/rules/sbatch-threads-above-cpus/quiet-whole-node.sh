#!/bin/bash
#SBATCH --job-name=julia
#SBATCH --nodes=1
#SBATCH --exclusive
#SBATCH --time=01:00:00
export OMP_NUM_THREADS=64
./julia
