#!/bin/bash
#SBATCH --time=1:00:00
SBATCH --nodes=2   # finding: sbatch-mark-missing
srun hostname
