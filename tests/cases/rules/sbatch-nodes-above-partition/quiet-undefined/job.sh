#!/bin/bash
#SBATCH --partition=p
#SBATCH --nodes=9
#SBATCH --time=10
srun ./a
