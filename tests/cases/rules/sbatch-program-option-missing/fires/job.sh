#!/bin/bash
#SBATCH --job-name=fit --nodes=1 --gres=gpu:1 --cpus-per-task=8 --time=1:00:00
#SBATCH --output=fit-%j.out
torchrun --standalone --nproc_per_node=1 fit.py --lr 0.2   # finding: sbatch-program-option-missing
