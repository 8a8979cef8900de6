#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=8 --cpus-per-task=64 --mem=400G --time=1-0
python -m sglang.launch_server --model-path large --tp 8 --host 0.0.0.0 --port $((20000 + SLURM_JOB_ID % 10000))
