#!/bin/bash
#SBATCH -p cpu --time=1-0
#SBATCH --nodes=2 --ntasks-per-node=3 --cpus-per-task=32   # finding: sbatch-cpus-above-nodes
srun simulate   # finding: sbatch-step-cpus-not-inherited
