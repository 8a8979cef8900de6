#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --time=1-0
scontrol show hostnames "$SLURM_JOB_NODELIST" > "hostfile.$SLURM_JOB_ID"
head=$(scontrol show hostnames "$SLURM_JOB_NODELIST" 2>/dev/null | head -n 1)
scontrol show hostnames "$SLURM_JOB_NODELIST" > /dev/null
mpirun -hostfile "hostfile.$SLURM_JOB_ID" -x HEAD="$head" ./solve
