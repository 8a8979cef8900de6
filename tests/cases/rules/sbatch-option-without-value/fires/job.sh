#!/bin/bash
#SBATCH --ntasks=3
#SBATCH --mem  # finding: sbatch-option-without-value
#SBATCH --time=00:05:00
srun ./solve
