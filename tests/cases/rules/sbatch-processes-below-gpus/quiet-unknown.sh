#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=2 --cpus-per-task=16 --time=1-0
torchrun --nproc_per_node=$COUNT --master_port=$PORT train.py
torchrun $MORE train.py
