#!/bin/bash
#SBATCH --job-name=hvd
#SBATCH --nodes=2 --gpus-per-node=4 --cpus-per-gpu=8
#SBATCH --time=02:00:00
srun python train.py && tee my.log
