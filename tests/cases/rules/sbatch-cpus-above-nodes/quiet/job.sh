#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=8 --cpus-per-gpu=12 --time=1-0
srun train
