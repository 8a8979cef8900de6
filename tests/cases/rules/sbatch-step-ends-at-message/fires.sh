#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --time=1:00:00
srun --ntasks=2 echo "on each node" && nvidia-smi   # finding: sbatch-step-ends-at-message
