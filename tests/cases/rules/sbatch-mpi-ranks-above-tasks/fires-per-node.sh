#!/bin/bash
#SBATCH --job-name=halo
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --time=01:00:00
RANKS=16
mpiexec -n $RANKS ./halo   # finding: sbatch-mpi-ranks-above-tasks
