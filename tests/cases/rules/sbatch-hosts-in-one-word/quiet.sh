#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --time=1:00:00
nodes=$(scontrol show hostnames "$SLURM_JOB_NODELIST")
nodes_array=($nodes)
head=("$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)")
srun --nodes=1 --ntasks=1 -w "${nodes_array[0]}" echo "${head[0]}"
