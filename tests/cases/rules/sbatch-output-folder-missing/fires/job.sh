#!/bin/bash
#SBATCH --time=1:00:00
# finding: sbatch-output-folder-missing
#SBATCH --output=logs/%j.out
srun hostname
