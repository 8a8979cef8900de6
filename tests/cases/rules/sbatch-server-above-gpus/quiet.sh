#!/bin/bash
#SBATCH --nodes=1
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=32
#SBATCH --gpus-per-node=4
#SBATCH --time=01:00:00
python -m sglang.launch_server --model-path example/model --host 0.0.0.0 --tp 4 --dp 4   # finding: sbatch-server-port-fixed
