#!/bin/bash
#SBATCH --nodes=2 --ntasks=16 --gpus=8 --time=1-0
srun train
