#!/bin/bash
#SBATCH --time=1:00:00
#SBATCH --output=logs/%j.out
srun hostname
