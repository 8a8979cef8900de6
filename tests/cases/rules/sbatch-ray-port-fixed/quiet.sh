#!/bin/bash
#SBATCH --time=1:00:00 --nodes=1 --ntasks-per-node=1 --gpus-per-node=2 --cpus-per-task=8 --mem=40G
port=$((10000 + SLURM_JOB_ID % 50000))
ray start --num-cpus=8 --head --port=$port
python -u train.py
