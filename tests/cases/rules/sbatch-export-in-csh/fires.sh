#!/bin/csh
#SBATCH --ntasks=1 --time=60
# finding: sbatch-export-in-csh
export MKL_DEBUG_CPU_TYPE=5
./solve
