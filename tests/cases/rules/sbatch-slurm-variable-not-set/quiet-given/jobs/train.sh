#!/bin/bash
#SBATCH --cpus-per-task=8
srun python train.py --tasks $SLURM_NTASKS_PER_NODE   # finding: sbatch-step-cpus-not-inherited
