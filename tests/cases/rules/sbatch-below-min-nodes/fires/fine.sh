#!/bin/bash
#SBATCH --nodes=2-4 --time=10   # finding: sbatch-node-range
srun hostname
