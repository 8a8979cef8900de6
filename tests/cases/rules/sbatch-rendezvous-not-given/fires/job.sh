#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --exclusive
#SBATCH --time=01:00:00
srun python fit_all.py --epochs 3   # finding: sbatch-rendezvous-not-given
