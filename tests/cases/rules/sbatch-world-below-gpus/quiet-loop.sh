#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=4 --cpus-per-task=32 --time=1-0
for seed in 1 2; do
  accelerate launch --num_processes=2 train.py --seed $seed
done
