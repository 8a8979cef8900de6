#!/bin/bash run with sbatch train.sh
#SBATCH --time=1:00:00
srun hostname
