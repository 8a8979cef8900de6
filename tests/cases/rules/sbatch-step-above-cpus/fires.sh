#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --time=1-0
srun --ntasks=16 hostname   # finding: sbatch-step-above-cpus
srun -l --ntasks-per-node 8 hostname   # finding: sbatch-step-above-cpus
