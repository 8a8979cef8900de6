#!/bin/bash
#SBATCH --ntasks=1 --time=60
#SBATCH --cpus-per-task=$(nproc)   # finding: sbatch-variable-not-expanded
./solve
