#!/bin/bash
# unknown: sbatch-gpu-request-missing
#SBATCH --partition=all
#SBATCH --nodes=6
srun hostname
