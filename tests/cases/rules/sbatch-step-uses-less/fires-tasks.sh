#!/bin/bash
#SBATCH --nodes=1 --ntasks=2 --time=1-0
srun -n 1 ./simulate   # finding: sbatch-step-uses-less
