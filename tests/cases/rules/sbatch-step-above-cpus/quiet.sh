#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=8 --time=1-0
srun --ntasks=16 hostname
srun --ntasks-per-node=8 hostname
srun hostname
