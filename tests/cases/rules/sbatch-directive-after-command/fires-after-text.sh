#!/bin/bash
#SBATCH --job-name=a
echo "it's on" # don't stop here
# finding: sbatch-directive-after-command
#SBATCH --nodes=4
srun hostname
