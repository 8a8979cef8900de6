#!/bin/bash
export NCCL_DEBUG=WARN
export NCCL_DEBUG_FILE=/scratch/logs/nccl.log # finding: nccl-log-shared
torchrun --nproc-per-node=8 train.py
