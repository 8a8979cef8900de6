#!/bin/bash
#SBATCH --ntasks-per-node=1 --nodes=2 --time=10
srun hostname
