#!/bin/bash
#SBATCH --gpus-per-node=2 --ntasks=2 --cpus-per-task=8 --time=1-0
srun bash -c 'export CUDA_VISIBLE_DEVICES=$SLURM_LOCALID; python train.py'   # finding: sbatch-step-cpus-not-inherited
