#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=2 --cpus-per-task=4 --time=10   # finding: sbatch-limit-of-partition
srun --cpus-per-task=4 ./a
