#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=4 --time=1:00:00
set -e
srun --nodes=1 --ntasks=1 mpirun ./solver
srun ./solver
mpirun ./solver
