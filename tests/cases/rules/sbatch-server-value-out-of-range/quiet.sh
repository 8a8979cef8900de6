#!/bin/bash
#SBATCH --gpus-per-node=1 --cpus-per-task=8 --time=1:00:00
vllm serve org/model-7b --port $PORT --gpu-memory-utilization 1 --max-num-seqs "$SEQS"
