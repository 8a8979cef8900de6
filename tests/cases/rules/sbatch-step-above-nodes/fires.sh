#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --time=1-0
srun --nodes=4 hostname   # finding: sbatch-step-above-nodes
