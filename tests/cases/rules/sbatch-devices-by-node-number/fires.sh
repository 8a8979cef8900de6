#!/bin/bash
#SBATCH --gpus-per-node=4 --cpus-per-task=8 --time=1-0
export CUDA_VISIBLE_DEVICES=${SLURM_JOB_GPUS}   # finding: sbatch-devices-by-node-number
python train.py
