#!/bin/bash
#SBATCH --time=1:00:00
#SBATCH --output=%x.%A.out
srun ./analyse
