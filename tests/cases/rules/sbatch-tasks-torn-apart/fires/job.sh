#!/bin/bash
#SBATCH --ntasks=4   # finding: sbatch-tasks-torn-apart
#SBATCH --cpus-per-task=12
#SBATCH --time=10
srun --cpus-per-task=12 ./a
