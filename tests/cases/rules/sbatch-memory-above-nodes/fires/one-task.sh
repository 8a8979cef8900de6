#!/bin/bash
#SBATCH -p cpu --ntasks=1 --time=1-0
#SBATCH --mem-per-cpu=300G   # finding: sbatch-memory-above-nodes
srun simulate
