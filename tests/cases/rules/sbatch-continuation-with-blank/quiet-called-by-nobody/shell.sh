#!/bin/bash -e
IMAGE=/images/torch.sif
apptainer shell --nv \
  -B /projects:/workspace \
  "$IMAGE"
echo "of two lines: \ 
  the second"
