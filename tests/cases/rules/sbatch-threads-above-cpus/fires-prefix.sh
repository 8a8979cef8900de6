#!/bin/bash
#SBATCH --time=1:00:00 --gpus-per-node=1 --cpus-per-task=8 --mem=40G
OMP_NUM_THREADS=80 torchrun --standalone --nproc_per_node=gpu train.py   # finding: sbatch-threads-above-cpus
