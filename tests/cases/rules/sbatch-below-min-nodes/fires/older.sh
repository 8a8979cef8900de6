#!/bin/bash
#SBATCH --ntasks=8 --time=10
srun hostname
