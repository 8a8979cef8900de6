#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=8 --cpus-per-task=64
#SBATCH --time=5-00:00:00   # finding: sbatch-limit-of-partition
srun train   # finding: sbatch-step-cpus-not-inherited
