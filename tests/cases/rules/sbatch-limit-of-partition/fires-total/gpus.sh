#!/bin/bash
#SBATCH --cpus-per-task=4 --time=1-0
#SBATCH --gpus=33   # finding: sbatch-limit-of-partition
srun train   # finding: sbatch-step-cpus-not-inherited
