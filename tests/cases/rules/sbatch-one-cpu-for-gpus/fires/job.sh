#!/bin/bash
#SBATCH --time=1-0
# finding: sbatch-one-cpu-for-gpus
#SBATCH --nodes=4 --gpus-per-node=8 --ntasks-per-node=1
srun train
