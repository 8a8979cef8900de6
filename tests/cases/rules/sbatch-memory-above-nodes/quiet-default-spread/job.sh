#!/bin/bash
#SBATCH --cpus-per-task=6 --time=10
srun --cpus-per-task=6 ./a
