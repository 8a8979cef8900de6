#!/bin/bash
#SBATCH --gres=gpu:1 --cpus-per-task=8 --time=1:00:00
apptainer exec --nv train.sif python3 train.py
