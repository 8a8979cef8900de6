#!/bin/bash
#SBATCH --nodes=4
# finding: sbatch-fewer-tasks-than-nodes
#SBATCH --ntasks=2
srun hostname
