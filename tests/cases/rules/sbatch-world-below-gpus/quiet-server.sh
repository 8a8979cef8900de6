#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=4 --cpus-per-task=32 --time=1-0
srun --nodes=1 --ntasks=1 --gpus=2 --exact --cpus-per-task=8 vllm serve m &   # finding: sbatch-server-below-gpus, sbatch-server-port-fixed
srun --nodes=1 --ntasks=1 --gpus=2 --exact --cpus-per-task=8 accelerate launch --num_processes=2 train.py
wait   # finding: sbatch-status-lost
