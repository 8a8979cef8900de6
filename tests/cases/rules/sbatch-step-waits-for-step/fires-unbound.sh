#!/bin/bash
#SBATCH --nodes=1 --ntasks=2 --cpus-per-task=8 --gpus-per-node=2 --time=1:00:00
export SLURM_CPU_BIND=none
srun python serve.py &
srun python ask.py   # finding: sbatch-step-waits-for-step
