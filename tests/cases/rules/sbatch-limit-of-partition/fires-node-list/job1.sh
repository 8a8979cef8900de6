#!/bin/bash
#SBATCH --nodes=1 --ntasks=12 --nodelist=a2 --time=10   # finding: sbatch-limit-of-partition
srun ./a
