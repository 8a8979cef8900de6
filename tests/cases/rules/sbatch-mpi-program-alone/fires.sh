#!/bin/bash
#SBATCH --time=60
#SBATCH --ntasks=8   # finding: sbatch-mpi-program-alone
lmp_mpi -in in.lj
