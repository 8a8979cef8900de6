#!/bin/bash
#SBATCH --time=1:00:00 --nodes=1 --ntasks-per-node=1 --gpus-per-node=1 --cpus-per-task=8 --mem=40G
PORT=8000
apptainer exec --nv vllm.sif python -m vllm.entrypoints.openai.api_server --model $MODEL --port $PORT   # finding: sbatch-server-port-fixed
