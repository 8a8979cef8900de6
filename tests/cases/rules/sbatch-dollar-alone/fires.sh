#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --time=1-0
NODELIST=nodelist.$   # finding: sbatch-dollar-alone
srun hostname -s | sort > "$NODELIST"
mpirun -hostfile "$NODELIST" ./solve
