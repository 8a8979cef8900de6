#!/bin/bash
# sbatch lowers the nodes to the tasks.
#SBATCH --nodes=4
#SBATCH --gpus=2 --ntasks=2   # finding: sbatch-fewer-tasks-than-nodes
#SBATCH --cpus-per-task=8 --time=60
srun train   # finding: sbatch-step-cpus-not-inherited
