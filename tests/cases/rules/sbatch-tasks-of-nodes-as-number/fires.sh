#!/bin/bash
#SBATCH --time=1:00:00 --nodes=4 --ntasks-per-node=1 --gpus-per-node=4 --cpus-per-task=32 --exclusive
WORLD_SIZE=$((SLURM_NNODES * SLURM_TASKS_PER_NODE))   # finding: sbatch-tasks-of-nodes-as-number
export WORLD_SIZE
srun --cpus-per-task=32 python train.py
