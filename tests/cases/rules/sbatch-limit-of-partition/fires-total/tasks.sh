#!/bin/bash
#SBATCH --gpus-per-task=1 --cpus-per-task=4 --time=1-0
#SBATCH --ntasks=33   # finding: sbatch-limit-of-partition
srun train   # finding: sbatch-step-cpus-not-inherited
