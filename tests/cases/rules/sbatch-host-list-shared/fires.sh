#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --time=1-0
scontrol show hostnames "$SLURM_JOB_NODELIST" > hostfile   # finding: sbatch-host-list-shared
mpirun -hostfile hostfile ./solve
