#!/bin/bash
#SBATCH --nodes=1   # finding: sbatch-one-task-of-several
#SBATCH --ntasks-per-node=4
#SBATCH --ntasks=1   # finding: sbatch-tasks-below-nodes
#SBATCH --time=1-0
srun hostname
