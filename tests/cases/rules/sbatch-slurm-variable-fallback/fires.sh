#!/bin/bash
#SBATCH --time=1:00:00 --gpus-per-node=1 --cpus-per-task=8 --mem=40G
export OMP_NUM_THREADS=${SLURM_CPUS_PER_NODE:-2}   # finding: sbatch-slurm-variable-fallback
python train.py
