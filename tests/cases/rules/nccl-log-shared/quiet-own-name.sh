#!/bin/bash
LOG=/logs/$(hostname)/$SLURM_PROCID
NCCL_DEBUG_FILE=$LOG/nccl.log python train.py
srun bash -c 'NCCL_DEBUG_FILE=/tmp/nccl-$(uname -n).log python train.py'
