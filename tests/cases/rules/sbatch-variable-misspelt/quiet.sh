#!/bin/bash
#SBATCH --nodes=1 --ntasks-per-node=1 --gpus-per-node=1 --cpus-per-gpu=8 --time=1-0
# The environment's own in capitals, what the caller gives, defaults, tests, and what is set in other ways.
user=lab
SCALE=$scale
SEED=1
MODE=fast
for lr in 1 2; do LR=$lr; done
read -r size </dev/null
SIZE=$size
if [ -n "$mode" ]; then echo "$mode"; fi
PER_DEVICE_TRAIN_BATCH_SIZE=4
HTTP_PROXY=none
srun python train.py --user "$USER" --scale "$SCALE" --seed "${seed:-3}" --lr "$lr" --size "$size" "$MODE" "$LR" \
  --batch "$PER_DEVICE_BATCH_SIZE" --proxy "$http_proxy"
