#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=4 --cpus-per-task=32 --time=1-0
vllm serve m --tensor-parallel-size 2 &   # finding: sbatch-server-below-gpus, sbatch-server-port-fixed
accelerate launch --num_processes=2 train.py
