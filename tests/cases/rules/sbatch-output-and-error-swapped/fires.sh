#!/bin/bash
#SBATCH --nodes=2
#SBATCH --time=1:00:00
#SBATCH --output=%j.err   # finding: sbatch-output-and-error-swapped
#SBATCH --error=%j.out
srun ./solver
