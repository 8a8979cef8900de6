#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1 --cpus-per-task=16 --gpus-per-node=8 --time=1-0 --exclusive
ray start --head --num-gpus 8
srun --nodes=1 --ntasks=1 --cpus-per-task=16 --exclude "$(hostname)" ray start --address "$(hostname):6379" --block &
sleep 30
python tune.py
