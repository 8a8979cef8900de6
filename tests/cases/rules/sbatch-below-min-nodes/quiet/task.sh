#!/bin/bash
#SBATCH --ntasks=1 --time=10
srun hostname
