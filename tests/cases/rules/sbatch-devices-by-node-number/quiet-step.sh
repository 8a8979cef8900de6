#!/bin/bash
#SBATCH --gpus-per-node=2 --cpus-per-task=8 --time=60
export CUDA_VISIBLE_DEVICES=$SLURM_JOB_GPUS
srun --cpus-per-task=8 python train.py
