#!/bin/bash
#SBATCH --time=1:00:00 --nodes=2 --ntasks-per-node=4 --gpus-per-node=4 --exclusive
CPU_BIND="mask_cpu:0xff,0xff00,0xff0000,0xff000000"
srun --cpu-bind=$CPU_BIND python train.py
