#!/bin/bash
#SBATCH --nodes=1 --ntasks-per-node=4 --gpus-per-node=4 --cpus-per-task=8 --time=1-0 --signal=USR2@600
srun -c 8 python fit.py
