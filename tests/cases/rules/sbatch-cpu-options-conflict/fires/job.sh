#!/bin/bash
# finding: sbatch-cpu-options-conflict
#SBATCH --gpus-per-node=8 --cpus-per-task=4 --cpus-per-gpu=4
#SBATCH --time=60
hostname
