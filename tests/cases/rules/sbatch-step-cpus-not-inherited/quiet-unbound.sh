#!/bin/bash
#SBATCH --nodes=1 --ntasks=2 --cpus-per-task=8 --gpus-per-node=2 --time=1:00:00
srun --cpu-bind=none python warm.py
export SLURM_CPU_BIND=None
srun python train.py
