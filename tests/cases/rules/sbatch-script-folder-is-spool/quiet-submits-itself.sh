#!/bin/bash
#SBATCH --gpus-per-node=1 --cpus-per-task=8 --time=1-0
if [ -z "$SLURM_JOB_ID" ]; then
  cd "$(dirname "$0")"
  exec sbatch train.sh
fi
python train.py
