#!/bin/bash
#SBATCH --partition=mixed --gpus=32 --time=1-0
#SBATCH --ntasks=384
srun train
