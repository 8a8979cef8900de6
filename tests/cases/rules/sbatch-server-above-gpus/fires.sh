#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=32
#SBATCH --gpus-per-node=4
#SBATCH --time=01:00:00
python -m vllm.entrypoints.openai.api_server --model example/model --tensor-parallel-size 8   # finding: sbatch-server-port-fixed, sbatch-server-above-gpus
