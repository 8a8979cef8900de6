#!/bin/bash
#SBATCH --nodes=1 --gpus=4 --cpus-per-task=8 --time=1-0
srun --gres=gpu:4 python train.py   # finding: sbatch-step-cpus-not-inherited
srun --gpus-per-node=2 python train.py   # finding: sbatch-step-cpus-not-inherited
