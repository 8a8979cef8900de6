#!/bin/bash
#SBATCH -N1 -n1
#SBATCH hetjob
#SBATCH -N4 --gpus=32
srun hostname
