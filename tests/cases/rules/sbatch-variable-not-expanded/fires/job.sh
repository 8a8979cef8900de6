#!/bin/bash
# finding: sbatch-variable-not-expanded
#SBATCH --nodes=${NODES}
#SBATCH --time=1:00:00
hostname
