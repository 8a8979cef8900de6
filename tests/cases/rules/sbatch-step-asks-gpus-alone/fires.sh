#!/bin/bash
#SBATCH --nodes=1 --cpus-per-task=8 --time=1-0
srun --gres=gpu:1 python train.py   # finding: sbatch-step-asks-gpus-alone, sbatch-step-cpus-not-inherited
