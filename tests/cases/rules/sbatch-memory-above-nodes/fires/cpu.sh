#!/bin/bash
#SBATCH -p cpu --nodes=1 --cpus-per-task=64 --time=1-0
#SBATCH --mem-per-cpu=4G   # finding: sbatch-memory-above-nodes
srun simulate   # finding: sbatch-step-cpus-not-inherited
