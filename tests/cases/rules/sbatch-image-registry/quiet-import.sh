#!/bin/bash
#SBATCH --time=1:00:00 --gpus-per-node=1 --cpus-per-task=8 --mem=40G
enroot import -o "$HOME/hub.sqsh" docker://team/train:1
enroot import -o "$HOME/site.sqsh" "docker://$REGISTRY/team/train:1"
enroot import dockerd://ghcr.io/team/train:1
apptainer pull train.sif docker://ghcr.io/team/train:1
