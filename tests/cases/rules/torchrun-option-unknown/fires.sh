#!/bin/bash
torchrun \
    --nnodes=2 \
    --node_rank="$NODE_RANK" \
    --master_addr ${MASTER_ADDR} \
    -c "import torch"   # finding: torchrun-option-unknown
python -m torch.distributed.run --nproc_per_node=8 --gpus 8 train.py   # finding: torchrun-option-unknown
