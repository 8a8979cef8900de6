#!/bin/bash
#SBATCH --gpus-per-node=2 --cpus-per-task=16 --time=1-0
export MASTER_PORT=$((10000 + SLURM_JOB_ID % 50000))
srun python train.py   # finding: sbatch-step-cpus-not-inherited
