#!/bin/bash
#SBATCH --nodes=1 --ntasks=5 --cpus-per-task=8 --time=1-0
#SBATCH --gpus-per-task=2   # finding: sbatch-gpus-above-nodes
srun train   # finding: sbatch-step-cpus-not-inherited
