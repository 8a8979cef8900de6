#!/bin/bash
#SBATCH --time=WALL
#SBATCH --nodes=1
#SBATCH --ntasks=1
srun ./solver
