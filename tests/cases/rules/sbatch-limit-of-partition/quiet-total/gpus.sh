#!/bin/bash
#SBATCH --cpus-per-task=4 --time=1-0
#SBATCH --gpus=32
srun train   # finding: sbatch-step-cpus-not-inherited
