#!/bin/bash
#SBATCH --mem=12G   # finding: sbatch-limit-of-partition
#SBATCH --time=10
srun ./a
