#!/bin/bash
#SBATCH --job-name=hvd
#SBATCH --nodes=1 --ntasks=1
#SBATCH --gpus-per-node=4 --cpus-per-gpu=8
#SBATCH --time=01:00:00
horovodrun -np 4 python train.py
