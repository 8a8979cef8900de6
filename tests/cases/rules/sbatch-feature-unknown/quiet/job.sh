#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=8 --cpus-per-task=64 --time=1-0 --constraint=h100&ib
srun train   # finding: sbatch-step-cpus-not-inherited
