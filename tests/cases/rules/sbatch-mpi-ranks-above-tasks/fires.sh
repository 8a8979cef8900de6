#!/bin/bash
#SBATCH --job-name=halo
#SBATCH --nodes=2
#SBATCH --ntasks=16
#SBATCH --time=01:00:00
mpirun --mca pml ucx -np 20 ./halo   # finding: sbatch-mpi-ranks-above-tasks
