#!/bin/bash
#SBATCH --time=1:00:00
srun python check.py --workers $SLURM_CPUS_PER_TASK   # finding: sbatch-slurm-variable-not-set
