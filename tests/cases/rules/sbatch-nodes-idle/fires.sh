#!/bin/bash
# finding: sbatch-nodes-idle
#SBATCH --nodes=2
#SBATCH --gpus-per-node=4 --cpus-per-task=16 --time=1-0
python train.py
