#!/bin/bash
#SBATCH --signal=USR1@120
#SBATCH --gpus-per-node=1 --cpus-per-task=8 --time=1-0
srun python train.py   # finding: sbatch-step-cpus-not-inherited
