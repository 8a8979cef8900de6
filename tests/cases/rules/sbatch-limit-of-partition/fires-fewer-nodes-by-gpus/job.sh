#!/bin/bash
# Two GPUs are on two nodes at most, and those have eight CPUs.
# silenced by: #SBATCH --time=1:00:00 --gpus=3 --nodes=1-3 --ntasks=9
#SBATCH --time=1:00:00 --gpus=2 --nodes=1-3 --ntasks=9   # finding: sbatch-limit-of-partition, sbatch-node-range
srun hostname
