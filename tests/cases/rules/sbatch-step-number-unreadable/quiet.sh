#!/bin/bash
#SBATCH --ntasks=4 --time=1:00:00
srun -n 4 -c1 ./model
srun -n$SLURM_NTASKS -c${SLURM_CPUS_PER_TASK:-1} ./model
srun -ln4 ./model -np 4
mpirun -np 4 ./model
