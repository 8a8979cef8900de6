#!/bin/bash
#SBATCH --nodes=2 --gpus-per-node=4 --ntasks-per-node=4 --cpus-per-task=8 --time=1-0
export SRUN_CPUS_PER_TASK=$SLURM_CPUS_PER_TASK
srun python train.py
