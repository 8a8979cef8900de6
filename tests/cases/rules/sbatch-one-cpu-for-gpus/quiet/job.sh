#!/bin/bash
#SBATCH --time=1-0
#SBATCH --nodes=4 --gpus-per-node=8 --ntasks-per-node=1 --cpus-per-task=64
srun train   # finding: sbatch-step-cpus-not-inherited
