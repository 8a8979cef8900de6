#!/bin/bash
#SBATCH --nodes=1 --time=1:00:00 --exclusive
# finding: sbatch-default-after-use
: "${IMAGE:=$APPS/train.sqsh}"
: "${APPS:=/apps}"
: "${DATA:=/data}"
srun --container-image "$IMAGE" --container-mounts "$DATA:/data" ./solve
