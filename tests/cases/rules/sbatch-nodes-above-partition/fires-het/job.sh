#!/bin/bash
# finding: sbatch-nodes-above-partition
#SBATCH --partition=all --nodes=6
#SBATCH hetjob
#SBATCH --partition=high --nodes=5
srun hostname
