#!/bin/bash
torchrun --nnodes=2 --nproc_per_node=8 --rdzv_backend=c10d --rdzv_endpoint=node1:29500 train.py --backend nccl
torchrun --nnodes=2 --nproc_per_node=8 --rdzv-backend etcd-v2 --rdzv_endpoint=node1:2379 train.py
torchrun --nnodes=2 --nproc_per_node=8 --rdzv-backend=ours train.py
