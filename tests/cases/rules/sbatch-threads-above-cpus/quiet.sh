#!/bin/bash
#SBATCH --job-name=hpcg
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --cpus-per-task=8
#SBATCH --time=01:00:00
export OMP_NUM_THREADS=8
srun --cpus-per-task=8 ./hpcg
