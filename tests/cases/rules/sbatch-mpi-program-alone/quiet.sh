#!/bin/bash
#SBATCH --time=60
#SBATCH --ntasks=8
srun gmx_mpi mdrun -deffnm md
