#!/bin/bash
#SBATCH --nodes=4
#SBATCH --time=1-0
nvidia-smi
srun python train.py
