#!/bin/bash
#SBATCH --nodes=1 --cpus-per-task=8 --time=1-0
#SBATCH --partition=work
srun train   # finding: sbatch-step-cpus-not-inherited
