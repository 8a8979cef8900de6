#!/bin/bash
#SBATCH --nodes=2 --gpus-per-node=4 --ntasks-per-node=4 --cpus-per-task=8 --time=1-0
srun hostname
srun python train.py   # finding: sbatch-step-cpus-not-inherited
