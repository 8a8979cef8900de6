#!/bin/bash
#SBATCH --cpus-per-task=4 --time=1-0
#SBATCH --partition=never   # finding: sbatch-limit-of-partition
make
