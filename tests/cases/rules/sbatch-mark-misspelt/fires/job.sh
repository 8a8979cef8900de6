#!/bin/bash
#SBATCH --time=1:00:00
#BATCH --job-name=train
#SBATH --mem=16G
#SBTACH -N 2
srun hostname
