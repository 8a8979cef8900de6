#!/bin/bash
#SBATCH --gpus-per-node=1 --cpus-per-task=8 --time=1:00:00
python -m sglang.launch_server --model org/model-7b --host 0.0.0.0 --port $PORT --tool-call-parser inline   # finding: sbatch-server-value-unknown
