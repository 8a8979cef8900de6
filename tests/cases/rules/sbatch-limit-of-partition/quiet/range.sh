#!/bin/bash
# As many nodes as GPUs are the most.
#SBATCH --nodes=1-3 --gpus=2 --cpus-per-gpu=8 --time=60   # finding: sbatch-node-range
srun train
