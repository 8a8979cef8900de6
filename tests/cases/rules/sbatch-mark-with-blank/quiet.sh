#!/bin/bash
# SBATCH --nodes=2
#SBATCH --time=1:00:00
# SBATCH --exclusive
srun hostname
