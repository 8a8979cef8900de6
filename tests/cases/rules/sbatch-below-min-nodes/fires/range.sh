#!/bin/bash
#SBATCH --nodes=1-4 --time=10   # finding: sbatch-below-min-nodes, sbatch-node-range
srun hostname
