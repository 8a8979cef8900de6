#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=4 --time=1:00:00
module load GCC/13.3.0 OpenMPI/5.0.3
# silenced by: srun --mpi=pmix ./solve
srun --mpi=pmi2 ./solve   # finding: sbatch-open-mpi-without-pmix
