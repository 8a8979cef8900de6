#!/bin/bash
#SBATCH --nodes=1 --ntasks=1 --time=01:00:00 --gpus=1 --cpus-per-task=8
set -u -e
python train_net.py
python evaluate.py
