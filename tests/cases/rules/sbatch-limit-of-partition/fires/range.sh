#!/bin/bash
# finding: sbatch-limit-of-partition, sbatch-node-range
#SBATCH --nodes=1-3 --gpus=3 --cpus-per-gpu=8 --time=60
srun train
