#!/bin/bash
#SBATCH --time=1:00:00 --gpus-per-node=1 --cpus-per-task=8 --mem=40G
# silenced by: srun --cpus-per-task=8 --container-image=ghcr.io#team/train:1 python train.py
srun --cpus-per-task=8 --container-image=ghcr.io/team/train:1 python train.py   # finding: sbatch-image-registry
