#!/bin/bash
#SBATCH --cpus-per-task=2 -N2 -n 2
#SBATCH --time=1:00:00 -p gpu -J=train -o=%j.out
srun hostname
