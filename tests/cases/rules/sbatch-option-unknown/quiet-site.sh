#!/bin/bash
#SBATCH --time=1:00:00 --gpus-per-node=1 --cpus-per-task=8 --quotatype=reserved
srun --cpus-per-task=8 python train.py
