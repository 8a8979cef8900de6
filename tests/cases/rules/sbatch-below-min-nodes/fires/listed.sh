#!/bin/bash
#SBATCH --nodelist=n1 --ntasks=8 --time=10   # finding: sbatch-below-min-nodes
srun hostname
