#!/bin/bash
#SBATCH --gpus-per-node=4 --exclusive --cpus-per-task=8 --time=1-0
# The node is the job's alone: its GPUs have the same numbers.
export CUDA_VISIBLE_DEVICES=$SLURM_JOB_GPUS
echo "GPUs $SLURM_JOB_GPUS"
python train.py
