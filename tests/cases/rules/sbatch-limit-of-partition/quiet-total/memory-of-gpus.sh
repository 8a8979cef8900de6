#!/bin/bash
#SBATCH --mem-per-gpu=200G --cpus-per-task=4 --time=1-0
#SBATCH --gpus=16
srun train   # finding: sbatch-step-cpus-not-inherited
