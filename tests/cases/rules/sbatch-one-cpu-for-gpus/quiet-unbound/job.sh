#!/bin/bash
#SBATCH --partition=gpu --gres=gpu:2 --time=1-0
python train.py
