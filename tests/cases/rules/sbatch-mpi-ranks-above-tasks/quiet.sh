#!/bin/bash
#SBATCH --job-name=halo
#SBATCH --nodes=2
#SBATCH --ntasks=16
#SBATCH --time=01:00:00
mpirun -np $SLURM_NTASKS ./halo
mpirun -np 8 ./halo -n 40
mpirun --map-by ppr:1:node -x OMP_NUM_THREADS=1 -np 2 ./halo
