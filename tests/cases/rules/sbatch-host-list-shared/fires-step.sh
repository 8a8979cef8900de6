#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --time=1-0
srun -n 2 hostname > nodes.list   # finding: sbatch-host-list-shared
mpirun -hostfile nodes.list ./solve
