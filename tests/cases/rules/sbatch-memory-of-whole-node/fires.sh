#!/bin/bash
#SBATCH --gres=gpu:1
#SBATCH --cpus-per-task=8
#SBATCH --mem=0   # finding: sbatch-memory-of-whole-node
#SBATCH --time=1:00:00
python train.py
