#!/bin/bash
#SBATCH --time=1:00:00 --nodes=4 --ntasks-per-node=4 --gpus-per-node=4 --exclusive
srun --cpu-bind=map_cpu:49,57,17,25 ./simulate
