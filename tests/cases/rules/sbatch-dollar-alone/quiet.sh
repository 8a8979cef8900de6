#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --time=1-0
NODELIST=nodelist.$$
PATTERN='.dat.$'
srun hostname -s | grep "$PATTERN" > "$NODELIST"
mpirun -hostfile "$NODELIST" ./solve
