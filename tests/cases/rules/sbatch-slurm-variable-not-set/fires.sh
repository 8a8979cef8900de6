#!/bin/bash
#SBATCH --gres=gpu:4 --time=1-0
#SBATCH --cpus-per-task=8
torchrun --standalone --nproc_per_node=$SLURM_GPUS_PER_NODE train.py   # finding: sbatch-slurm-variable-not-set
