#!/bin/bash
#SBATCH --nodes=1 --gpus-per-node=1 --cpus-per-task=8 --time=1:00:00
test -d /data/set || (echo "no data"; exit 1)   # finding: sbatch-exit-in-subshell
python train.py
