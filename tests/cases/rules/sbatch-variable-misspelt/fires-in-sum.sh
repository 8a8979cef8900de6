#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=4 --cpus-per-task=16 --time=1:00:00
set -eu
PER_DEVICE_TRAIN_BATCH_SIZE=4
STEPS=$((256 / (4 * PER_DEVICE_BATCH_SIZE)))   # finding: sbatch-variable-misspelt
srun --cpus-per-task=16 torchrun --standalone --nproc_per_node=4 train.py --steps $STEPS --batch $PER_DEVICE_TRAIN_BATCH_SIZE
