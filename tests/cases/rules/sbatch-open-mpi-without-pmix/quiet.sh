#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=4 --time=1:00:00
module load OpenMPI/4.1.6
srun --mpi=pmi2 ./solve
