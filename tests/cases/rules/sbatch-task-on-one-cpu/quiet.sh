#!/bin/bash
#SBATCH --time=1:00:00 --nodes=4 --ntasks-per-node=4 --gpus-per-node=4 --cpus-per-task=32 --exclusive
srun --cpus-per-task=32 --cpu-bind=mask_cpu:0xff,0xff00,0xff0000,0xff000000 python train.py
