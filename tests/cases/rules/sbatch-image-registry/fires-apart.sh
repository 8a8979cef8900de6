#!/bin/bash
#SBATCH --time=1:00:00 --gpus-per-node=1 --cpus-per-task=8 --mem=40G
IMAGE=${1:-ghcr.io/team/train:1}
srun --cpus-per-task=8 --container-image "$IMAGE" python train.py   # finding: sbatch-image-registry
