#!/bin/bash
#SBATCH --nodes=1 --ntasks-per-node=1 --gpus-per-node=1 --cpus-per-task=8 --time=1-0
export RANK=$SLURM_PROCID
srun python train.py   # finding: sbatch-step-cpus-not-inherited
