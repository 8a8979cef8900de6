#!/bin/bash
#SBATCH --nodes=2 --gpus-per-node=4 --ntasks-per-node=4 --cpus-per-task=8 --time=1-0
srun python train.py
