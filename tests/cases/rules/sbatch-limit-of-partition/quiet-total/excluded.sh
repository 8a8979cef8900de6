#!/bin/bash
#SBATCH --exclude=gpu2 --gpus-per-node=8 --cpus-per-task=64 --time=1-0
#SBATCH --nodes=3
srun train   # finding: sbatch-step-cpus-not-inherited
