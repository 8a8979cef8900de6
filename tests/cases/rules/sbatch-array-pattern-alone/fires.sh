#!/bin/bash
#SBATCH --time=1:00:00
# finding: sbatch-array-pattern-alone
#SBATCH --output=%x.%A_%a.out
srun ./analyse
