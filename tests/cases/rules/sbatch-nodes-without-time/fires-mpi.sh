#!/bin/bash
#SBATCH --nodes=2   # finding: sbatch-nodes-without-time
make
mpirun -np 16 ./jacobi
