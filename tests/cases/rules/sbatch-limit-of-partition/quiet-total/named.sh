#!/bin/bash
#SBATCH --nodelist=gpu1,gpu2 --nodes=2 --time=60 --cpus-per-gpu=8
#SBATCH --gpus=2
srun train
