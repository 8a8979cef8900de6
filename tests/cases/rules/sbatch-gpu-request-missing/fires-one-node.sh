#!/bin/bash
# finding: sbatch-gpu-request-missing
#SBATCH --nodes=1 --cpus-per-task=16 --time=1-0
nvidia-smi
python train.py
