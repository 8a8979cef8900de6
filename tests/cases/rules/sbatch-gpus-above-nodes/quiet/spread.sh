#!/bin/bash
#SBATCH --cpus-per-task=8 --time=1-0 --gpus=16
srun train   # finding: sbatch-step-cpus-not-inherited
