#!/bin/bash
#SBATCH --time=1:00:00
# Usage:
#   sbatch --cpus-per-task N check.sh SHARDS
srun python check.py --workers $SLURM_CPUS_PER_TASK   # unknown: sbatch-step-cpus-not-inherited
