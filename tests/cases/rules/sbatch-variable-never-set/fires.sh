#!/bin/bash
#SBATCH --nodes=1 --time=1:00:00 --gpus-per-node=1 --cpus-per-task=8
for port in {20000..30000}; do ! nc -z localhost ${myport} && break; done   # finding: sbatch-variable-never-set
export MASTER_PORT=$port
srun -c 8 python train.py
