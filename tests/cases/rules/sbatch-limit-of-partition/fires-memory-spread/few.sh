#!/bin/bash
#SBATCH --partition=few --nodes=2 --ntasks=4 --cpus-per-task=2 --time=10   # finding: sbatch-limit-of-partition
srun --cpus-per-task=2 ./a
