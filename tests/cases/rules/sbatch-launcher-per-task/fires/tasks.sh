#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=4   # finding: sbatch-launcher-per-task
#SBATCH --gpus-per-node=4 --cpus-per-task=8 --time=1-0
GPUS=4
srun bash -c "accelerate launch --num_processes $GPUS train.py"   # finding: sbatch-step-cpus-not-inherited
