#!/bin/bash
#SBATCH --gpus-per-node=1 --cpus-per-task=8 --time=1-0
python3 -m sglang.launch_server --model-path org/model-7b --host 0.0.0.0 --port "$PORT" &   # finding: sbatch-server-ends-with-script
sleep 60
echo "reach it with: ssh -N -L 8000:$(hostname):$PORT login"
ANSWER=$(curl -s "http://localhost:$PORT/v1/completions" -d '{"prompt": "Hello"}')
echo "$ANSWER" | python3 -c "import json, sys; print(json.load(sys.stdin)['choices'])"
