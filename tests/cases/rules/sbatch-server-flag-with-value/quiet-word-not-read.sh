#!/bin/bash
#SBATCH --gpus-per-node=1 --cpus-per-task=8 --time=1:00:00
python -m vllm.entrypoints.openai.api_server --model org/model-7b --enforce-eager true --port $PORT
