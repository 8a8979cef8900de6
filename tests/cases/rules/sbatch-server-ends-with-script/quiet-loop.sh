#!/bin/bash
#SBATCH --gpus-per-node=1 --cpus-per-task=8 --time=1-0
vllm serve org/model-7b --host 0.0.0.0 --port "$PORT" &
for hour in $(seq 1 24); do
  sleep 290
  echo "$hour"
done
