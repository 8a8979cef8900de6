#!/bin/bash
#SBATCH --ntasks=4 --time=60
##SBATCH --cpus-per-task=8
# Resources are set when calling sbatch.
srun -c "$SLURM_CPUS_PER_TASK" ./solve
