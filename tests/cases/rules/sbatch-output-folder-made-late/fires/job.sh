#!/bin/bash
#SBATCH --output=logs/%x-%j.out   # finding: sbatch-output-folder-made-late
#SBATCH --gpus-per-node=1 --cpus-per-task=8 --time=1-0
mkdir -p logs
srun --cpus-per-task=8 python train.py
