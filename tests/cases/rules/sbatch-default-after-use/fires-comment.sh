#!/bin/bash
#SBATCH --nodes=1 --time=1:00:00 --exclusive
# APPS is where the images are.
# finding: sbatch-default-after-use
: "${IMAGE:=$APPS/train.sqsh}"
: "${APPS:=/apps}"
srun --container-image "$IMAGE" ./solve
