#!/bin/bash
#SBATCH --time=1:00:00
#SBATCH --output=%x.%A_%a.out
srun ./analyse
