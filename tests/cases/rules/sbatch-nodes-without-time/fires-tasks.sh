#!/bin/bash
#SBATCH --ntasks-per-node=12
#SBATCH --ntasks=128   # finding: sbatch-nodes-without-time
mpirun ./stencil
