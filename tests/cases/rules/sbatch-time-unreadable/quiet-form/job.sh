#!/bin/bash
#SBATCH --job-name=train
#SBATCH --account=               # your account
#SBATCH --partition=             # your partition
#SBATCH --time=                  # hh:mm:ss
srun train
