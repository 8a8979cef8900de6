#!/bin/bash
#SBATCH --gpus-per-node=8 --cpus-per-task=64 --time=1-0
#SBATCH --nodes=3   # finding: sbatch-limit-of-partition
srun train   # finding: sbatch-step-cpus-not-inherited
