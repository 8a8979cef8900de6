#!/bin/bash
# finding: sbatch-one-cpu-for-gpus
#SBATCH --nodes=4 --gpus-per-node=8 --ntasks-per-node=1
srun train
