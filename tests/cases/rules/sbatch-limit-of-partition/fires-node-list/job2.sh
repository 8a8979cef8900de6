#!/bin/bash
#SBATCH --nodes=1-2 --ntasks=20 --nodelist=a[1-2] --time=10   # finding: sbatch-limit-of-partition, sbatch-node-range
srun ./a
