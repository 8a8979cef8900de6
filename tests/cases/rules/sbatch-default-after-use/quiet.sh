#!/bin/bash
#SBATCH --nodes=1 --time=1:00:00 --exclusive
: "${APPS:=/apps}"
: "${IMAGE:=$APPS/train.sqsh}"
echo "data: $DATA"
[ -d "$RESULTS" ] || echo "none yet"
export DATA=${DATA:-/data}
: "${RESULTS:=/data/results}"
mkdir -p "${LOGS:-logs}"
: "${LOGS:=logs}"
if [ "$USER" = tester ]; then RESULTS=$TRIAL; fi
: "${TRIAL:=/tmp}"
srun --container-image "$IMAGE" ./solve "$RESULTS" "$LOGS"
