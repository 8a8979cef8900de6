#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=8
#SBATCH --mem=32G
#SBATCH --time=01:00:00
export SRUN_CPUS_PER_TASK=$SLURM_CPUS_PER_TASK
srun ray start --head --port=6379 --num-cpus "$SLURM_CPUS_PER_TASK" --block &
sleep 10
python tune.py
