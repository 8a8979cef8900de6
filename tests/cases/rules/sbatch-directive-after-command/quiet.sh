#!/bin/bash
#SBATCH --time=1-0
# A comment, then a blank line:

#SBATCH --nodes=4
#SBATCH --gpus-per-node=8 --cpus-per-gpu=8
srun hostname
