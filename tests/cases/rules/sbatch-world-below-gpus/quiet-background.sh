#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=4 --cpus-per-task=32 --time=1-0
accelerate launch --num_processes=2 --gpu_ids=0,1 a.py &
accelerate launch --num_processes=2 b.py &
wait   # finding: sbatch-status-lost
