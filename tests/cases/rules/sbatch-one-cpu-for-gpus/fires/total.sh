#!/bin/bash
# finding: sbatch-one-cpu-for-gpus
#SBATCH --nodes=2 --gpus=8 --time=1-0 --mem=64G
srun train
