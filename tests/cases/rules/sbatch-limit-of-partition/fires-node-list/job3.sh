#!/bin/bash
#SBATCH --nodes=2 --ntasks=30 --nodelist=a2 --time=10   # finding: sbatch-limit-of-partition
srun ./a
