#!/bin/bash
#SBATCH --time=1:00:00 --nodes=2 --ntasks-per-node=1 --gpus-per-node=2 --cpus-per-task=8 --mem=40G
port=6379
srun --nodes=1 --ntasks=1 --cpus-per-task=8 ray start --num-cpus=8 --head --port=$port --block &   # finding: sbatch-ray-port-fixed
sleep 10
python -u train.py
