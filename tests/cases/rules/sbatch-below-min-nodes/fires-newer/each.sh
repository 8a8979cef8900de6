#!/bin/bash
#SBATCH --ntasks-per-node=1 --time=10   # finding: sbatch-below-min-nodes
srun hostname
