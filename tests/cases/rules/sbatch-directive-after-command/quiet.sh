#!/bin/bash
# A comment, then a blank line:

#SBATCH --nodes=4
#SBATCH --gpus-per-node=8 --cpus-per-gpu=8
srun hostname
