#!/bin/bash
#SBATCH --job-name=julia
#SBATCH --ntasks=1
#SBATCH --time=01:00:00
export OMP_NUM_THREADS=64   # finding: sbatch-threads-above-cpus
./julia
