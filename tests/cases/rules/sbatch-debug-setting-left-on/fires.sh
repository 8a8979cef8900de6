#!/bin/bash
#SBATCH --time=60
#SBATCH --gpus-per-node=2
#SBATCH --ntasks-per-node=2
#SBATCH --cpus-per-task=4
export CUDA_LAUNCH_BLOCKING=1   # finding: sbatch-debug-setting-left-on
export NCCL_P2P_DISABLE=1   # finding: sbatch-debug-setting-left-on
srun python train.py   # finding: sbatch-step-cpus-not-inherited
