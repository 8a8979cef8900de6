#!/bin/bash
local_rank=$SLURM_LOCALID
if [[ $local_rank == 0 ]]; then
  torchrun --nnodes=2 --nproc_per_node=8 --node_rank=$SLURM_NODEID --master_addr=$HEAD train.py
fi
