#!/bin/bash
# finding: sbatch-variable-not-expanded
#SBATCH --nodes=${HOW_MANY}
#SBATCH --time=1:00:00
#SBATCH --exclusive
#SBATCH --tasks-per-node=1
nodes=($(scontrol show hostnames "$SLURM_JOB_NODELIST"))
srun --ntasks=1 -w "${nodes[0]}" ray start --head --port=6379 --block &
sleep 10
python -u train.py
