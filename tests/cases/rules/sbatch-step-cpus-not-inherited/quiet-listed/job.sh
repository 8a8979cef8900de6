#!/bin/bash
#SBATCH --nodes=2 --gpus-per-node=4 --ntasks-per-node=4 --cpus-per-task=8 --time=1-0
srun hostname
srun --cpu-bind=map_cpu:0,8,16,24 python train.py   # finding: sbatch-task-on-one-cpu
