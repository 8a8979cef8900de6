#!/bin/bash
#SBATCH --partition=standard-g --nodes=1 --ntasks-per-node=8 --gpus-per-node=8 --cpus-per-gpu=7 --time=1:00:00
srun python train.py
