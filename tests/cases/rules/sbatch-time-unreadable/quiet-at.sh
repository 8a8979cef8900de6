#!/bin/bash
#SBATCH --time=@HOURS:00:00
#SBATCH --nodes=1
#SBATCH --ntasks=1
srun ./solver
