#!/bin/bash
#SBATCH --nodes=1   # finding: sbatch-gpu-counts-disagree
#SBATCH --ntasks=1 --gpus-per-task=1 --gres=gpu:8 --cpus-per-task=8 --time=60
srun train   # finding: sbatch-step-cpus-not-inherited
