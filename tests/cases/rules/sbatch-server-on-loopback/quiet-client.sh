#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=8 --cpus-per-task=64 --mem=400G --time=1-0
PORT=$((20000 + SLURM_JOB_ID % 10000))
python -m sglang.launch_server --model-path large --tp 8 --port $PORT &
sleep 300
python client.py --port $PORT
