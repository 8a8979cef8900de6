#!/bin/bash
#SBATCH -p p
#SBATCH -n 4   # finding: sbatch-limit-of-partition
#SBATCH -c 0
#SBATCH --mem-per-cpu=2000
#SBATCH -t 10
./x
