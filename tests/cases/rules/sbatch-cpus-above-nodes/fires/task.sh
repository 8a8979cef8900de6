#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=8 --time=1-0
#SBATCH --cpus-per-task=128   # finding: sbatch-cpus-above-nodes
srun train   # finding: sbatch-step-cpus-not-inherited
