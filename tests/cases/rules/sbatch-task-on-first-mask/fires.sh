#!/bin/bash
#SBATCH --time=1:00:00 --nodes=2 --ntasks-per-node=1 --gpus-per-node=4 --exclusive
srun --cpu-bind=mask_cpu:0xff,0xff00,0xff0000,0xff000000 torchrun --nnodes 2 --nproc-per-node 4 train.py   # finding: sbatch-task-on-first-mask
