#!/bin/bash
#SBATCH --time=1:00:00 --nodes=1 --ntasks-per-node=1 --gpus-per-node=2 --cpus-per-task=8 --exclusive
ray start --head --port 6379
python -u train.py
