#!/bin/bash
#SBATCH --output=logs/%j.out
#SBATCH --gpus-per-node=1 --cpus-per-task=8 --time=1-0
mkdir -p checkpoints
srun python train.py   # finding: sbatch-step-cpus-not-inherited
