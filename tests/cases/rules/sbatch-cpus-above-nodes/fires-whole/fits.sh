#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=1 --time=1-0 --exclusive --mem=0   # finding: sbatch-exclusive-for-few-gpus
#SBATCH --cpus-per-gpu=12
srun train
