#!/bin/bash
#SBATCH --ntasks=  # finding: sbatch-option-without-value
#SBATCH --time=00:05:00
#SBATCH -p  # finding: sbatch-option-without-value
srun ./solve
