#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=32
#SBATCH --gpus-per-node=4
#SBATCH --time=01:00:00
COMMAND="vllm serve example/model --port 8000 --tensor-parallel-size 2"   # finding: sbatch-server-below-gpus
$COMMAND
