#!/bin/bash
# finding: sbatch-gpu-request-missing
#SBATCH --nodes=4
nvidia-smi
srun python train.py
