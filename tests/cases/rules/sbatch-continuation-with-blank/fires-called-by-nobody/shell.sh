#!/bin/bash -e
IMAGE=/images/torch.sif
apptainer shell --nv \  # finding: sbatch-continuation-with-blank
  -B /projects:/workspace \
  "$IMAGE"
