#!/bin/bash
#SBATCH --cpus-per-task=7 --time=10   # finding: sbatch-memory-above-nodes
srun --cpus-per-task=7 ./a
