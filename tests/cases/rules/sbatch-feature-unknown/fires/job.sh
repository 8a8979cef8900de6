#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=8 --cpus-per-task=64 --time=1-0
#SBATCH --constraint=a100   # finding: sbatch-feature-unknown
srun train   # finding: sbatch-step-cpus-not-inherited
