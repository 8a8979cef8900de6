#!/bin/bash
#SBATCH --gpus-per-node=1 --cpus-per-task=8 --time=1-0
# silenced by: vllm serve org/model-7b --host 0.0.0.0 --port "$PORT"
vllm serve org/model-7b --host 0.0.0.0 --port "$PORT" &   # finding: sbatch-server-ends-with-script
SERVER_PID=$!
for turn in $(seq 1 60); do
  sleep 5
  curl -sf "http://localhost:$PORT/health" && break
  kill -0 $SERVER_PID || exit 1
done
echo "serving on $(hostname)"
