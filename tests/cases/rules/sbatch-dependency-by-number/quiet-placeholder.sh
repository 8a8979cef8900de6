#!/bin/bash
#SBATCH --job-name=sample --nodes=1 --gres=gpu:1 --cpus-per-task=8 --time=1:00:00
#SBATCH --output=sample-%j.out
#SBATCH --dependency=afterok:12345
python sample.py
