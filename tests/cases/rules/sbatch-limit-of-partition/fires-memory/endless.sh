#!/bin/bash
#SBATCH --nodes=2 --gpus-per-node=8 --cpus-per-task=64 --mem=400G
#SBATCH --time=UNLIMITED   # finding: sbatch-limit-of-partition, sbatch-time-unlimited
srun train   # finding: sbatch-step-cpus-not-inherited
