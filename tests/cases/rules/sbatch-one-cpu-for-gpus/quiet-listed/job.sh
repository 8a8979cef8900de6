#!/bin/bash
#SBATCH --time=1-0 --nodes=2 --gpus-per-node=8
srun train
