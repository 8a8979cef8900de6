#!/bin/bash
#SBATCH --time=1-0 --gpus-per-node=1 --cpus-per-task=8
# finding: sbatch-installs-in-job
python3 -m pip install -e .
python train.py
