#!/bin/bash
# more than a node has
#SBATCH --nodes=1 --cpus-per-task=8 --time=1-0
#SBATCH --gres=gpu:16   # finding: sbatch-gpus-above-nodes
srun train   # finding: sbatch-step-cpus-not-inherited
