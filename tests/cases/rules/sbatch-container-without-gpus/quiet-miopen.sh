#!/bin/bash
#SBATCH --time=1:00:00 --gpus-per-node=1 --cpus-per-task=8 --mem=40G
export MIOPEN_CUSTOM_CACHE_DIR=/tmp/$SLURM_JOB_ID
singularity run /images/train.sif python train.py
