#!/bin/bash
#SBATCH --time=1:00:00 --nodes=2 --ntasks-per-node=1 --gpus-per-node=4 --exclusive
srun --cpu-bind=verbose,mask_cpu:0xffffffff torchrun --nnodes 2 --nproc-per-node 4 train.py
