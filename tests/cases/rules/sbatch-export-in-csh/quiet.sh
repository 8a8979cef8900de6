#!/bin/csh
#SBATCH --ntasks=1 --time=60
setenv MKL_DEBUG_CPU_TYPE 5
./solve
