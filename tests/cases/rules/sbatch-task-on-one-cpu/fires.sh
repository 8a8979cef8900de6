#!/bin/bash
#SBATCH --time=1:00:00 --nodes=4 --ntasks-per-node=4 --gpus-per-node=4 --cpus-per-task=32 --exclusive
srun --cpus-per-task=32 --cpu-bind=map_cpu:1,73,145,217 python train.py   # finding: sbatch-task-on-one-cpu
