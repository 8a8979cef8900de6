#!/bin/bash
#SBATCH --nodes=1 --ntasks=5 --cpus-per-task=8 --time=1-0   # finding: sbatch-limit-of-partition
#SBATCH --gpus-per-task=2
srun train   # finding: sbatch-step-cpus-not-inherited
