#!/bin/bash
# finding: sbatch-one-cpu-for-gpus
#SBATCH --ntasks=1 --gres=gpu:a100:2 --time=1-0
srun train
