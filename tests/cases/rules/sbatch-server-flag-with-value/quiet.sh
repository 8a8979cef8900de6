#!/bin/bash
#SBATCH --gpus-per-node=1 --cpus-per-task=8 --time=1:00:00
vllm serve org/model-7b --enforce-eager --no-enable-prefix-caching --enable-chunked-prefill True --port $PORT
vllm serve --port $PORT --help | grep -q reasoning-parser
