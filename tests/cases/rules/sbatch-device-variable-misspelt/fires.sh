#!/bin/bash
#SBATCH --nodes=1
#SBATCH --time=1:00:00
export HSA_FORCE_FINE_GRAIN_PRICE=1   # finding: sbatch-device-variable-misspelt
srun ./solver
