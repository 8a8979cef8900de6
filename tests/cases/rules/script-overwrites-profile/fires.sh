#!/bin/bash
#SBATCH --time=00:10:00
#SBATCH --cpus-per-task=4
#SBATCH --mem=8G
set -e
# finding: script-overwrites-profile
echo "source /shared/conda/bin/activate" > ~/.bash_profile
