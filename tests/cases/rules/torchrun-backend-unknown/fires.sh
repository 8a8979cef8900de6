#!/bin/bash
torchrun --nnodes=2 --nproc_per_node=8 --rdzv_backend=nccl --rdzv_endpoint=node1:29500 train.py   # finding: torchrun-backend-unknown
