#!/bin/bash
#SBATCH --nodes=2
#SBATCH --time=1:00:00
#SBATCH --export=NONE
module load solver
export SLURM_EXPORT_ENV=ALL
srun solver in.dat
