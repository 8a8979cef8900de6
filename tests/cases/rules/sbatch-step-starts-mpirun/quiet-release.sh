#!/bin/bash
#SBATCH --nodes=1 --ntasks-per-node=4 --mem=8G --time=1:00:00
srun mpirun --version
