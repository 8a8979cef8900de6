#!/bin/bash
#SBATCH --time=1:00:00 --gpus-per-node=1 --cpus-per-task=8 --mem=40G
CONTAINER=/images/train.sif
apptainer exec -B $DATA $CONTAINER python train.py --data $DATA --workers $WORKERS   # finding: sbatch-container-without-gpus
