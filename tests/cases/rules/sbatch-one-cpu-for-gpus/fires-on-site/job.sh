#!/bin/bash
#SBATCH --partition=gpu --gres=gpu:2 --time=1-0   # finding: sbatch-one-cpu-for-gpus
python train.py
