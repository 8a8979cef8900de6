#!/bin/bash
#SBATCH --nodes=2 --gpus-per-node=8 --cpus-per-task=64 --time=1-0
srun train   # finding: sbatch-step-cpus-not-inherited
