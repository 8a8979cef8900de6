#!/bin/bash
# One GPU of the job for two nodes.
#SBATCH --nodes=2   # finding: sbatch-gpu-counts-disagree
#SBATCH --gpus=1 --cpus-per-task=8 --time=60
srun train   # finding: sbatch-step-cpus-not-inherited
