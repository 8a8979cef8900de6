#!/bin/bash
#SBATCH -p cpu --nodes=1 --cpus-per-task=64 --mem-per-cpu=8G --time=1-0
srun simulate   # finding: sbatch-step-cpus-not-inherited
