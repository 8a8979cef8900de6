#!/bin/bash
export RUN="srun -K \
  --container-mounts=/data:/data, $HOME:$HOME --container-image=$IMAGE --gpus=1 "   # finding: sbatch-mounts-with-blank
