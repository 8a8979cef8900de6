#!/bin/bash
#SBATCH -p all --cpus-per-task=8 --time=1-0 --gpus-per-node=8
#SBATCH --nodes=6   # finding: sbatch-no-node-has-all
srun train   # finding: sbatch-step-cpus-not-inherited
