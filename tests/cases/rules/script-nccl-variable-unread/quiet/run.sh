#!/bin/bash
export NCCL_DEBUG=WARN
export NCCL_TIMEOUT=3600
export NCCL_IB_TIMEOUT=22
torchrun --standalone --nproc-per-node=4 train.py
