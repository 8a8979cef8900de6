#!/bin/bash
#SBATCH --ntasks 3
#SBATCH --mail-user=
#SBATCH --exclusive
#SBATCH -J solve
#SBATCH --time=00:05:00
srun ./solve
