#!/bin/bash
python bench.py --launcher torchrun --batch-size 8
docker run --rm --entrypoint torchrun --gpus all registry.example/train:1 --nproc_per_node=8 train.py
grep -rl torchrun --include='*.sh' .
pkill -f torchrun -9
torchrun --nproc_per_node=8 -- train.py --epochs 3
cat <<USAGE
Wrapper for torchrun
  --gpus N   number of GPUs
USAGE
