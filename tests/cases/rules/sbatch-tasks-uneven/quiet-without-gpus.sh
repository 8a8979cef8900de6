#!/bin/bash
#SBATCH --time=60
#SBATCH --nodes=2
#SBATCH --ntasks=9
srun ./solve
