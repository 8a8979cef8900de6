#!/bin/bash
#SBATCH --nodes=1 --ntasks-per-node=1 --gpus-per-node=1 --cpus-per-gpu=8 --time=1-0
set -eu
PER_DEVICE_TRAIN_BATCH_SIZE=4
LEARNING_RATE=0.1
# finding: sbatch-variable-misspelt
echo "batches of $PER_DEVICE_BATCH_SIZE"
srun python train.py --batch "$PER_DEVICE_TRAIN_BATCH_SIZE" --rate "$LEARNIN_RATE"   # finding: sbatch-variable-misspelt
