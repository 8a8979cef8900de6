#!/bin/bash
#SBATCH --gres=gpu:1 --cpus-per-task=8 --time=60
#SBATCH --mem=0GB   # finding: sbatch-memory-of-whole-node
python train.py
