#!/bin/bash
#SBATCH --nodes=2 --ntasks-per-node=1 --time=1:00:00
srun python train.py \
    # finding: sbatch-option-as-command
    --epochs 3 \
    --lr 1e-4
srun python score.py
    --checkpoint last   # finding: sbatch-option-as-command
