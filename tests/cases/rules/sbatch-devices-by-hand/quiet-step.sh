#!/bin/bash
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=4
#SBATCH --time=01:00:00
#SBATCH --mem=100G
export CUDA_VISIBLE_DEVICES=0,1,2,3
# The partition gives whole nodes, the step takes its GPUs.
srun --nodes=4 --cpus-per-task=4 \
  --gres=gpu:4 python train.py --cuda   # finding: sbatch-step-asks-gpus-alone
