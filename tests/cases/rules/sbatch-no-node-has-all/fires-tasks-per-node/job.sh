#!/bin/bash
#SBATCH --ntasks=7   # finding: sbatch-no-node-has-all
#SBATCH --ntasks-per-node=5
#SBATCH --time=10
srun ./a
