#!/bin/bash
#SBATCH --ntasks=16 --time=1-0
mpirun python analyse.py
