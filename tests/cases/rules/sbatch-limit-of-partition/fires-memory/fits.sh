#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=8 --cpus-per-task=16 --time=1-0 --partition=small
srun train   # finding: sbatch-step-cpus-not-inherited
