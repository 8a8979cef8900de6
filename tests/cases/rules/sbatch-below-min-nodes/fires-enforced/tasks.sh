#!/bin/bash
#SBATCH --ntasks=8 --time=10   # finding: sbatch-below-min-nodes
srun hostname
