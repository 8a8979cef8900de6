#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=4 --time=1:00:00
module load openmpi/5.0.3
srun --mpi=pmi2 --nodes=1 --ntasks=1 ./prepare
srun ./solve
