#!/bin/bash
#SBATCH --gres=gpu:1 --cpus-per-task=8 --mem=64G --time=1:00:00
vllm serve model --port 8000 &   # finding: sbatch-server-port-fixed
docker run -d --rm \
  --network host \
  lab/web:1
wait
