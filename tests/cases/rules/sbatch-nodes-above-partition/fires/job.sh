#!/bin/bash
#SBATCH --partition=low
# finding: sbatch-nodes-above-partition
#SBATCH --nodes=6
srun hostname
