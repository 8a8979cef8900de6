#!/bin/bash
# finding: sbatch-gpu-request-missing
#SBATCH --nodes=4
#SBATCH --time=1-0
nvidia-smi
srun python train.py
