#!/bin/bash
#SBATCH --job-name=a --nodes=1 --ntasks=1 --time=01:00:00
srun $1 --standalone --nproc_per_node=4 train.py
