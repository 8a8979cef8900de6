#!/bin/bash
#SBATCH --ntasks=1 --time=60
#SBATCH --mail-type=BEGIN
#SBATCH --mail-type=FAIL
./solve
