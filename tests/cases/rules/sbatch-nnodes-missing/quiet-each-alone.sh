#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --gpus-per-node=8 --cpus-per-task=64 --exclusive --time=1-0
# finding: sbatch-standalone-on-nodes
srun torchrun --standalone --nproc_per_node=8 train.py   # finding: sbatch-step-cpus-not-inherited
