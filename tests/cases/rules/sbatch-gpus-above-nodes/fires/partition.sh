#!/bin/bash
#SBATCH -p cpu --nodes=1 --cpus-per-task=8 --time=1-0
#SBATCH --gpus=1   # finding: sbatch-gpus-above-nodes
srun train   # finding: sbatch-step-cpus-not-inherited
