#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=2 --cpus-per-task=2 --time=10
srun --cpus-per-task=2 ./a
