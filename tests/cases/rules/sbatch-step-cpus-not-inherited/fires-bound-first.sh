#!/bin/bash
#SBATCH --nodes=1 --ntasks=2 --cpus-per-task=8 --gpus-per-node=2 --time=1:00:00
srun python train.py   # finding: sbatch-step-cpus-not-inherited
export SLURM_CPU_BIND=none
srun python train.py
