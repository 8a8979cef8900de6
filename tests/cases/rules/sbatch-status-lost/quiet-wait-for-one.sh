#!/bin/bash
#SBATCH --nodes=1 --gres=gpu:1 --cpus-per-task=8 --time=1:00:00
srun -c 8 hostname
srun -c 8 python train.py &
pid=$!
wait $pid
