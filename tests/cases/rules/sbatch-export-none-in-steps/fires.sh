#!/bin/bash
#SBATCH --nodes=2
#SBATCH --time=1:00:00
#SBATCH --export=NONE
module load solver
srun solver in.dat   # finding: sbatch-export-none-in-steps
