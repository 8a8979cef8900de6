#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=32
#SBATCH --gpus-per-node=4
#SBATCH --time=01:00:00
vllm serve "$MODEL" --port "$PORT" --tensor-parallel-size 2   # finding: sbatch-server-below-gpus
