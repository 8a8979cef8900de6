#!/bin/bash
#SBATCH --time=1:00:00
srun ./analyse "$1"
