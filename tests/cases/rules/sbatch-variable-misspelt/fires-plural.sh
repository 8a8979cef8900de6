#!/bin/bash
#SBATCH --nodes=8 --ntasks-per-node=4 --gpus-per-node=4 --cpus-per-task=16 --time=4:00:00
export NNODES=$SLURM_NNODES
srun --cpus-per-task=16 python train.py --num-nodes=$NNODE   # finding: sbatch-variable-misspelt
