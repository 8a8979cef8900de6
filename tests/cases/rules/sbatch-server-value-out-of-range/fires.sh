#!/bin/bash
#SBATCH --gpus-per-node=1 --cpus-per-task=8 --time=1:00:00
# silenced by: vllm serve org/model-7b --port $PORT --gpu-memory-utilization 0.8 --max-num-seqs 64
vllm serve org/model-7b --port $PORT --gpu-memory-utilization 80 --max-num-seqs 64   # finding: sbatch-server-value-out-of-range
