#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1   # finding: sbatch-nodes-without-time
#SBATCH --gpus-per-node=8 --cpus-per-task=64
srun python train.py   # finding: sbatch-step-cpus-not-inherited
