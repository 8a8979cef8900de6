#!/bin/bash
#SBATCH --ntasks=1 --ntasks-per-node=2 --time=1:00:00   # finding: sbatch-one-task-of-several
srun hostname
