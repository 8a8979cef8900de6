#!/bin/bash
#SBATCH --nodes=2
#SBATCH --time=1:00:00
#SBATCH --export=NONE
module load solver
srun --export=ALL solver in.dat
