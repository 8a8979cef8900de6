#!/bin/bash
#SBATCH --ntasks=2 --ntasks-per-node=4 --time=1:00:00
srun hostname
