#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --time=1-0
# finding: sbatch-host-list-shared
scontrol show hostnames "$SLURM_JOB_NODELIST" | sed "s/$/ slots=8/" > /tmp/hosts.txt
mpirun -hostfile /tmp/hosts.txt ./solve
