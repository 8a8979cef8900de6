#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=4 --time=1:00:00
set -e
# finding: sbatch-mpirun-in-each-task
srun --ntasks=4 mpirun ./solver
# finding: sbatch-mpirun-in-each-task
srun mpiexec ./solver
