#!/bin/bash
set -o errexit
rm -rf "/scratch/$SLURM_JOB_ID"
set +o errexit
pkill -f nvidia-cuda-mps-control
exit 0
