#!/bin/bash
#SBATCH -p all --nodes=1 --cpus-per-task=8 --time=1-0
#SBATCH --gpus-per-node=8   # finding: sbatch-no-node-has-all
#SBATCH --constraint=amd
srun train   # finding: sbatch-step-cpus-not-inherited
