#!/bin/bash
#SBATCH --nodes=1
#SBATCH --gpus=4 --cpus-per-task=32 --time=1-0
torchrun --standalone --nproc_per_node=$SLURM_GPUS_ON_NODE train.py
torchrun --standalone --nproc_per_node=4 train.py
torchrun --standalone --nproc_per_node=$NPROC train.py
