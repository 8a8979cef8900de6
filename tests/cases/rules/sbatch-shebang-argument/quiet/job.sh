#!/bin/bash -l
#SBATCH --time=1:00:00
srun hostname
