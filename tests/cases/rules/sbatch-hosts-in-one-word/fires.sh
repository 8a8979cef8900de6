#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --time=1:00:00
nodes=$(scontrol show hostnames "$SLURM_JOB_NODELIST")
nodes_array=("$nodes")   # finding: sbatch-hosts-in-one-word
head_node=${nodes_array[0]}
srun --nodes=1 --ntasks=1 -w "$head_node" hostname
