#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=4 --time=1:00:00
srun mpirun ./solver   # finding: sbatch-step-starts-mpirun
