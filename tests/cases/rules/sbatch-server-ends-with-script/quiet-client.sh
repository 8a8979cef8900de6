#!/bin/bash
#SBATCH --gpus-per-node=1 --cpus-per-task=8 --time=1-0
vllm serve org/model-7b --host 0.0.0.0 --port "$PORT" &
sleep 60
python client.py --port "$PORT"
