#!/bin/bash
#SBATCH --time=1:00:00 --ntasks=4 --mem=8G
module load mpi
exec {lock}>/tmp/lock
mpirun -np 4 ./solver &   # finding: sbatch-background-without-wait
