#!/bin/bash
#SBATCH --nodes=1 --cpus-per-task=8 --gpus-per-task=1 --ntasks=1 --time=1-0
srun --gres=gpu:1 python train.py   # finding: sbatch-step-cpus-not-inherited
