#!/bin/bash
#SBATCH --partition=spare --ntasks=4 --cpus-per-task=4 --time=1-0
#SBATCH --requeue
#SBATCH --open-mode=append
srun --cpus-per-task=4 simulate
