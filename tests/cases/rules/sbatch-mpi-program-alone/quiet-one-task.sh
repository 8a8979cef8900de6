#!/bin/bash
#SBATCH --time=60
#SBATCH --cpus-per-task=8
gmx_mpi mdrun -deffnm md -ntomp 8
