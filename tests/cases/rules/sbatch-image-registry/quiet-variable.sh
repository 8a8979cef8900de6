#!/bin/bash
#SBATCH --time=1:00:00 --gpus-per-node=1 --cpus-per-task=8 --mem=40G
IMAGE=ghcr.io/team/train:1
if [ -f /images/train.sqsh ]; then IMAGE=/images/train.sqsh; fi
: "${PREPARE_IMAGE:=ghcr.io#team/prepare:1}"
: "${TEST_IMAGE:=/images/ghcr.io/test.sqsh}"
srun --cpus-per-task=8 --container-image "$IMAGE" python train.py
srun --cpus-per-task=8 --container-image="$PREPARE_IMAGE" python prepare.py
srun --cpus-per-task=8 --container-image="$TEST_IMAGE" python check.py
