#!/bin/bash
#SBATCH --time=1:00:00 --nodes=1 --ntasks-per-node=4 --gpus-per-node=4 --cpus-per-task=32 --exclusive
CPU_BIND="map_cpu:1,73,145,217"
time srun --cpus-per-task=32 --cpu-bind=${CPU_BIND} python train.py   # finding: sbatch-task-on-one-cpu
