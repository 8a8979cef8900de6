#!/bin/bash
#SBATCH -c=2   # finding: sbatch-value-with-equals
#SBATCH --time=1:00:00 -p=gpu   # finding: sbatch-value-with-equals
srun hostname
