#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks=4 --gpus-per-task=2 --gres=gpu:8 --cpus-per-task=8 --time=60
srun train   # finding: sbatch-step-cpus-not-inherited
