#!/bin/bash
#SBATCH --nodes=1 --ntasks-per-node=8 --cpus-per-task=12 --time=1-0
#SBATCH --gpus-per-task=1 --gpu-bind=none
srun --cpus-per-task=12 bash -c 'export CUDA_VISIBLE_DEVICES=$SLURM_LOCALID; python train.py'
