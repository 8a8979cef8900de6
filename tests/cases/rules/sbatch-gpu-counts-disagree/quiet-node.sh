#!/bin/bash
#SBATCH --nodes=2
#SBATCH --gpus=4 --gpus-per-node=2 --cpus-per-task=8 --time=60
srun train   # finding: sbatch-step-cpus-not-inherited
