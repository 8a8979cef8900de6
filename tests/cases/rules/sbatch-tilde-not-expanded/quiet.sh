#!/bin/bash
#SBATCH --output=/home/%u/logs/%j.out
#SBATCH --gpus-per-node=1 --cpus-per-task=8 --time=1-0
python ~/train.py
