#!/bin/bash
(
  set -e
  cd /scratch
  rm -rf "$SLURM_JOB_ID"
)
pkill -f nvidia-cuda-mps-control
exit 0
