#!/bin/bash
#SBATCH -p cpu --nodes=1 --cpus-per-task=64 --time=1-0 --constraint=intel|amd
srun simulate   # finding: sbatch-step-cpus-not-inherited
