#!/bin/bash
#SBATCH --nodes=4   # finding: sbatch-nodes-without-time
# finding: sbatch-fewer-tasks-than-nodes
#SBATCH --ntasks=2
srun hostname
