#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --ntasks=16   # finding: sbatch-tasks-above-nodes
#SBATCH --time=1-0
srun hostname
