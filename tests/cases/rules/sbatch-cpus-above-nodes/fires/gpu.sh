#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=8 --time=1-0
#SBATCH --cpus-per-gpu=16   # finding: sbatch-cpus-above-nodes
srun train
