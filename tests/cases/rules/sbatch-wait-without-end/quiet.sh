#!/bin/bash
#SBATCH --gpus-per-node=1 --cpus-per-task=8 --time=1:00:00 --output=%x-%j.out
vllm serve org/model-7b --port $PORT &
server=$!
until curl -s http://localhost:$PORT/health >/dev/null; do
  sleep 10
  kill -0 $server || exit 1
done
python client.py --port $PORT
