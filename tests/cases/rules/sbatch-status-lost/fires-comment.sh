#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=1 --cpus-per-task=8 --time=1:00:00 --output=%x-%j.log
# no pipefail here
set -e
python train.py \
  --epochs 3 2>&1 | tee train.log   # finding: sbatch-status-lost
