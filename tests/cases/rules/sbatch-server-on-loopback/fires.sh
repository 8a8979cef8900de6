#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=8 --cpus-per-task=64 --mem=400G --time=1-0
module load cuda
MODEL=/shared/models/large
# finding: sbatch-server-on-loopback
python -m sglang.launch_server --model-path "$MODEL" --tp 8 --port $((20000 + SLURM_JOB_ID % 10000))
