#!/bin/bash
#SBATCH --nodes=2
#SBATCH --time=1:00:00
#SBATCH --export=NONE
unset SLURM_EXPORT_ENV
module load solver
srun solver in.dat
