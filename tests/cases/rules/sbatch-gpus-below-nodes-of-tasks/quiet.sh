#!/bin/bash
#SBATCH --gpus=4 --ntasks=7 --ntasks-per-node=2 --cpus-per-gpu=8 --time=1:00:00
srun -c 8 hostname
