#!/bin/bash
#SBATCH --time=00:30:00
# finding: sbatch-option-unknown
#SBATCH --sitewatch=no
srun hostname
