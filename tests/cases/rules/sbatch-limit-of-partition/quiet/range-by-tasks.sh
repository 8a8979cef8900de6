#!/bin/bash
#SBATCH --partition=gpu --nodes=2-6 --ntasks=2 --cpus-per-task=4 --gres=gpu:1 --time=1:00:00
srun --cpus-per-task=4 --gres=gpu:1 python train.py
