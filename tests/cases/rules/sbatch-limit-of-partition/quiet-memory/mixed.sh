#!/bin/bash
#SBATCH --partition=mixed --nodes=6 --gpus-per-node=8 --cpus-per-task=64 --time=1-0
srun train   # finding: sbatch-step-cpus-not-inherited
