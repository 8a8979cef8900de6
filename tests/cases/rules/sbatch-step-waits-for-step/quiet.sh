#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=4
#SBATCH --exclusive
#SBATCH --time=01:00:00
srun -n 1 --overlap database > database.log 2>&1 &
srun prepare --study big
srun -n 1 -N 1 -w node1 serve &
srun -n 1 -N 1 -w node2 ask
srun -n 1 first &
wait
srun tune --study big
