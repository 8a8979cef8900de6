#!/bin/bash
# finding: sbatch-variable-not-expanded
#SBATCH --partition=$PART
# finding: sbatch-variable-not-expanded
#SBATCH --output=$HOME/%j.out
#SBATCH --time=1:00:00
hostname
