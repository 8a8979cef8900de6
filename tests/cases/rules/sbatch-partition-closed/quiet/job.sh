#!/bin/bash
#SBATCH -p old,cpu --nodes=1 --cpus-per-task=8 --time=1-0
srun simulate   # finding: sbatch-step-cpus-not-inherited
