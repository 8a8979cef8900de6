#!/bin/bash
# silenced by: #SBATCH --partition=small-g --nodes=1 --gpus-per-node=1 --cpus-per-gpu=7 --time=1:00:00
#SBATCH --partition=standard-g --nodes=1 --gpus-per-node=1 --cpus-per-gpu=7 --time=1:00:00   # finding: sbatch-part-of-whole-node
srun python train.py
