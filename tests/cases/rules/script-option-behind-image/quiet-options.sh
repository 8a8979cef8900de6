#!/bin/bash
BIND_ARGS=(--bind /data:/data --env "A=B")
BIND="--bind=/scratch:/scratch"
singularity exec "${BIND_ARGS[@]}" --nv tools.sif python3 train.py
singularity exec "$@" --nv tools.sif python3 train.py
apptainer exec "$BIND" --nv tools.sif python3 train.py
apptainer exec "$BIND" --nv "$IMAGE" python3 train.py
apptainer exec "${GPU_FLAG:---nv}" --bind data tools.sif python3 train.py
apptainer exec "${CONTAINER_OPTS[@]}" --nv "$IMAGE" python3 train.py
apptainer exec "${!IMAGE}" --nv "$2" python3 train.py
singularity exec --no-mount "$MOUNTS" --nv tools.sif python3 train.py
singularity exec -eB "$IMAGE" --pwd /work tools python3 train.py
