#!/bin/bash
IMAGE=$HOME/tools.sif
# finding: script-option-behind-image
srun apptainer exec --cleanenv "$IMAGE" --nv python3 train.py
