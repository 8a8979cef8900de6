#!/bin/bash
#SBATCH --ntasks=1 --time=10   # finding: sbatch-below-min-nodes
srun hostname
