#!/bin/bash
#SBATCH --nodes=1 --cpus-per-task=8 --time=1-0
#SBATCH --gpus-per-node=a100:8   # finding: sbatch-gpus-above-nodes
srun train   # finding: sbatch-step-cpus-not-inherited
