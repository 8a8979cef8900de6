#!/bin/bash
#SBATCH --job-name=a --nodes=1 --ntasks=8 --time=01:00:00 --export=NONE
module load slurm_setup
module load solver
srun solver input
