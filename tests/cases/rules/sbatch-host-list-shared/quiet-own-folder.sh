#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --time=1-0
mkdir -p "runs/$SLURM_JOB_ID"
cd "runs/$SLURM_JOB_ID"
scontrol show hostnames "$SLURM_JOB_NODELIST" > hostfile
mpirun -hostfile hostfile ./solve
