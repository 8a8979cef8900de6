#!/bin/bash
singularity exec -B data:/data tools.sif make-data --step 0
apptainer exec --nv --home /scratch tools.sif python3 -B train.py
apptainer exec --home old.sif --nv tools.sif python3 train.py
singularity run tools.sif --env dev
singularity exec $COMMAND --env dev
