#!/bin/bash
export NCCL_DEBUG=WARN
export NCCL_DEBUG_FILE=/scratch/logs/nccl.%h.%p.log
torchrun --nproc-per-node=8 train.py
