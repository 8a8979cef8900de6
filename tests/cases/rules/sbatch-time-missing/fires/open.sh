#!/bin/bash
# finding: sbatch-time-missing
#SBATCH --partition=open --nodes=2
srun hostname
