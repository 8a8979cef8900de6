#!/bin/bash
#SBATCH --partition=few --nodes=2 --ntasks-per-node=2 --cpus-per-task=2 --mem-per-cpu=500 --time=10
srun --cpus-per-task=2 ./a
