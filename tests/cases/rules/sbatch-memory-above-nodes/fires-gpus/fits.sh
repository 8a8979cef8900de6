#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=1 --cpus-per-gpu=12 --time=1-0
#SBATCH --mem-per-gpu=130G
srun train
