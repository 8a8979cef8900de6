#!/bin/bash
# finding: sbatch-time-missing
#SBATCH --nodes=2
srun hostname
