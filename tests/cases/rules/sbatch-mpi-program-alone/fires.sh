#!/bin/bash
#SBATCH --time=60
#SBATCH --ntasks=8   # finding: sbatch-mpi-program-alone
gmx_mpi mdrun -deffnm md
