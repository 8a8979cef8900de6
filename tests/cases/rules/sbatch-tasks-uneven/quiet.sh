#!/bin/bash
#SBATCH --time=60
#SBATCH --nodes=2
#SBATCH --ntasks=4
#SBATCH --gpus-per-node=2
#SBATCH --cpus-per-task=4
srun python train.py   # finding: sbatch-step-cpus-not-inherited
