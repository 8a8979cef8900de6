#!/bin/bash
export NCCL_DEBUG=WARN
export NCCL_TIMEOUT=3600   # finding: script-nccl-variable-unread
torchrun --standalone --nproc-per-node=4 train.py
