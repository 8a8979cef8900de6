#!/bin/bash
#SBATCH --time=1:00:00 --gpus-per-node=1 --cpus-per-task=8 --mem=40G
TAG=${1:-25.05}
# silenced by: enroot import -o "$HOME/train.sqsh" "docker://ghcr.io#team/train:$TAG"
enroot import -o "$HOME/train.sqsh" "docker://ghcr.io/team/train:$TAG"   # finding: sbatch-image-registry
srun --cpus-per-task=8 --container-image="$HOME/train.sqsh" python train.py
