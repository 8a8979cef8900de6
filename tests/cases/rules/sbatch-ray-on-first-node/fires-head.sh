#!/bin/bash
#SBATCH --nodes=2   # finding: sbatch-ray-on-first-node
#SBATCH --ntasks-per-node=1 --cpus-per-task=16 --gpus-per-node=8 --time=1-0 --exclusive
ray start --head --num-gpus 8
python tune.py
