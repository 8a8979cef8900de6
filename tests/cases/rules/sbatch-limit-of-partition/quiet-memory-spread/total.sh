#!/bin/bash
#SBATCH --ntasks=8 --cpus-per-task=2 --time=10
srun --cpus-per-task=2 ./a
