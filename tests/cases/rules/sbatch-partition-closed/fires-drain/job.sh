#!/bin/bash
#SBATCH --nodes=1 --cpus-per-task=8 --time=1-0
#SBATCH -p old   # finding: sbatch-partition-closed
srun simulate   # finding: sbatch-step-cpus-not-inherited
