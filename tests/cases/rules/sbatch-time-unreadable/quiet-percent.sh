#!/bin/bash
#SBATCH -t %wall_time%
#SBATCH --nodes=1
#SBATCH --ntasks=1
srun ./solver
