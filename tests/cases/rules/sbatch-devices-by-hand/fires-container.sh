#!/bin/bash
#SBATCH --gres=gpu:2 --cpus-per-task=16 --time=1-0
export APPTAINERENV_CUDA_VISIBLE_DEVICES=0,1   # finding: sbatch-devices-by-hand
apptainer run --nv server.sif
