#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=1 --cpus-per-task=8 --time=01:00:00
uv run train_cifar_solution.py   # finding: sbatch-program-missing
