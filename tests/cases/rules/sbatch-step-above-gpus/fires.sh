#!/bin/bash
#SBATCH --nodes=1 --gres=gpu:2 --cpus-per-task=8 --time=1-0
srun --gres=gpu:4 python train.py   # finding: sbatch-step-above-gpus, sbatch-step-cpus-not-inherited
