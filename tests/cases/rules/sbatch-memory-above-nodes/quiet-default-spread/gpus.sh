#!/bin/bash
#SBATCH --gpus=2 --cpus-per-gpu=8 --time=10
srun ./a
