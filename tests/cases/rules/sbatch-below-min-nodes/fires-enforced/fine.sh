#!/bin/bash
#SBATCH --ntasks=8 --ntasks-per-node=4 --time=10
srun hostname
