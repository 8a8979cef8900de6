#!/bin/bash
#SBATCH --job-name=a --nodes=1 --ntasks=1 --time=01:00:00
srun nvidia-cuda-mps-control -d &
srun ./solver
