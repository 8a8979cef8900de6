#!/bin/bash
#SBATCH --time=60
#SBATCH --nodes=2
#SBATCH --ntasks=3   # finding: sbatch-tasks-uneven
#SBATCH --gpus-per-node=3
#SBATCH --cpus-per-task=4
srun python train.py   # finding: sbatch-step-cpus-not-inherited
