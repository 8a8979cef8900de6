#!/bin/bash
#SBATCH --partition=long
export MEMORY=$SLURM_MEM_PER_GPU
srun python train.py "$MEMORY"
