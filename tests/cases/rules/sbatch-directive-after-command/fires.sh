#!/bin/bash
#SBATCH --nodes=4
set -e
# finding: sbatch-directive-after-command
#SBATCH --gpus-per-node=8
srun hostname
