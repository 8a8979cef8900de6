#!/bin/bash
#SBATCH --nodes=1 --time=1:00:00 --exclusive
source ./site.sh
: "${IMAGE:=$APPS/train.sqsh}"
: "${APPS:=/apps}"
srun --container-image "$IMAGE" ./solve
