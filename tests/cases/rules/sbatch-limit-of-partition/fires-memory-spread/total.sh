#!/bin/bash
#SBATCH --ntasks=9 --cpus-per-task=2 --time=10   # finding: sbatch-limit-of-partition
srun --cpus-per-task=2 ./a
